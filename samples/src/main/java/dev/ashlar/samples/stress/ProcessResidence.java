// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.profiles.Ashlar;
import dev.ashlar.samples.report.Units;
import java.util.function.LongSupplier;

/**
 * The process's physical memory less the committed Java heap, before and after a run, each after a
 * collection of the Java heap.
 *
 * <p>A run is clean if that has not grown by more than the tolerance. What is tolerated is what the
 * JVM itself takes meanwhile: compiled code, the compiler's memory and classes, and the part of the
 * Java heap that is committed and not yet in use. The allocator's own memory is all given back by
 * then.
 */
final class ProcessResidence {

  /** How much more there may be after a run, in bytes. */
  static final long TOLERANCE = 64L << 20;

  private final LongSupplier reading;
  private final long before;

  /**
   * Reads what there is before a run.
   *
   * @param reading reads how much memory there is, in bytes
   */
  ProcessResidence(LongSupplier reading) {
    this.reading = reading;
    this.before = reading.getAsLong();
  }

  /**
   * Compares.
   *
   * @return how many bytes more there are than before; negative if there are fewer
   * @throws StressFault if that is more than what is tolerated
   */
  long requireNear() {
    long growth = reading.getAsLong() - before;
    if (growth > TOLERANCE) {
      throw new StressFault(
          "the process has "
              + Units.mebibytes(growth)
              + " more than before the run, besides the Java heap; "
              + Units.mebibytes(TOLERANCE)
              + " are tolerated");
    }
    return growth;
  }

  /** Reads what this process has, in bytes. */
  static long ofThisProcess() {
    System.gc();
    return Ashlar.processMemory().residentBytes() - Runtime.getRuntime().totalMemory();
  }
}
