// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.blocks.WorkDone;
import java.util.List;

/**
 * What one process measured. What does not apply is null or empty.
 *
 * @param nsPerOp samples, in nanoseconds for an operation
 * @param javaBytesPerOp bytes allocated on the Java heap for an operation
 * @param memory resident memory
 * @param work what the check counted
 */
public record Figures(
    List<Double> nsPerOp, Double javaBytesPerOp, ResidentMemory memory, WorkDone work) {

  /**
   * Resident memory in bytes at the stages of a workload, over the level before it. What does not
   * apply is null.
   *
   * @param peak when all blocks are alive
   * @param free when they have been freed
   * @param idle 3 seconds later
   * @param trim after the allocator was asked to give memory back
   */
  public record ResidentMemory(Long peak, Long free, Long idle, Long trim) {

    public static final ResidentMemory NONE = new ResidentMemory(null, null, null, null);
  }
}
