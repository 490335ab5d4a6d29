// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/** Gives up what the thread's heap has ready. */
final class TrimOperation implements StressOperation {

  @Override
  public void run(StressWorker worker, StepRandom random) {
    worker.blocks().allocator().trim();
  }
}
