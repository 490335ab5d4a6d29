// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/** Frees a block of the worker's, whoever allocated it. */
final class FreeOperation implements StressOperation {

  @Override
  public void run(StressWorker worker, StepRandom random) {
    StressBlock block = worker.held().take(random.nextInt(HeldBlocks.PLACES));
    if (block != null) {
      worker.blocks().free(block, random);
    }
  }
}
