// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/** Resizes a block of the worker's, to about its size or to any. */
final class ResizeOperation implements StressOperation {

  @Override
  public void run(StressWorker worker, StepRandom random) {
    int place = random.nextInt(HeldBlocks.PLACES);
    boolean near = random.once(2);
    long any = SizeDraw.size(random);
    StressBlock block = worker.held().take(place);
    if (block != null) {
      long size = near ? block.size() + random.nextInt(64) : any;
      worker.held().makeRoom(place, size, random);
      worker.held().put(place, worker.blocks().resize(block, size, random));
    }
  }
}
