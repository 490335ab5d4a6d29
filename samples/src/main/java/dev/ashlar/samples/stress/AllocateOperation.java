// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/** Allocates a block and keeps it, in the place of another that is freed. */
final class AllocateOperation implements StressOperation {

  @Override
  public void run(StressWorker worker, StepRandom random) {
    int place = random.nextInt(HeldBlocks.PLACES);
    long size = SizeDraw.size(random);
    long alignment = SizeDraw.alignment(random);
    worker.held().makeRoom(place, size, random);
    worker.held().put(place, worker.blocks().allocate(size, alignment, random));
  }
}
