// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.adapters.AllocatorAdapter;
import dev.ashlar.benchmarks.adapters.NullAdapter;
import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.blocks.CheckFailure;
import dev.ashlar.benchmarks.blocks.WitnessBlocks;
import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.workloads.Workload;
import dev.ashlar.benchmarks.workloads.Workloads;

/**
 * Does two short runs of a workload under a witness: did the allocator do the work? Where there is
 * no allocator, the work is only counted.
 */
final class WorkCheck {

  static final int RUNS = 2;

  private WorkCheck() {}

  /** A workload in its first state, with short runs: the same ones for every allocator. */
  static Workload workload(String name, int threads) {
    return Workloads.timed(name, threads, Workloads.SHORT);
  }

  /**
   * Runs the check.
   *
   * @param workload what {@link #workload} gave
   * @param adapter the allocator
   * @return what was done, the same for every allocator
   * @throws CheckFailure if the allocator did something else
   */
  static WorkDone run(Workload workload, AllocatorAdapter adapter) {
    Blocks table = Blocks.over(adapter, workload.slots() + 1);
    WitnessBlocks witness =
        new WitnessBlocks(table, workload.slots(), !(adapter instanceof NullAdapter));
    try {
      workload.fill(witness);
      for (int i = 0; i < RUNS; i++) {
        workload.run(witness, thread -> workload.work(witness, thread));
      }
      workload.empty(witness);
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof CheckFailure failure) {
        throw failure; // of a thread of the workload's
      }
      throw e;
    }
    WorkDone done = witness.workDone();
    if (done.allocated() != done.freed()) {
      throw new CheckFailure(
          done.allocated() + " blocks were allocated, but " + done.freed() + " freed");
    }
    return done;
  }
}
