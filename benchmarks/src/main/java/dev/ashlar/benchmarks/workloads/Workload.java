// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import java.util.function.IntConsumer;

/**
 * Something to measure. The loops do the same work as those of the C program, in pieces short
 * enough to be called often: the compiler then inlines a piece into the measuring method, in which
 * the allocator is a constant. They are classes, not records: JMH reads no annotations in records,
 * and a record's fields would be constants to the compiler, which the sizes in the C program are
 * not.
 */
public interface Workload {

  /** How many slots the table of blocks needs. */
  int slots();

  /** How many operations the time of one run is divided by. */
  long operations();

  /** How many threads allocate at once. */
  default int threads() {
    return 1;
  }

  /** Allocates what is alive before the first run. */
  default void fill(Blocks blocks) {}

  /**
   * Does one run.
   *
   * @param blocks the table
   * @param piece calls {@link #work} with this table; run by threads other than the caller's
   */
  void run(Blocks blocks, IntConsumer piece);

  /** Does one thread's piece of a run. */
  default void work(Blocks blocks, int thread) {}

  /** Ends threads, and frees what is alive after the last run. */
  default void empty(Blocks blocks) {}
}
