// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/** Leaves a block for other workers, and keeps or frees the one that it finds in its stead. */
final class ExchangeOperation implements StressOperation {

  @Override
  public void run(StressWorker worker, StepRandom random) {
    int place = random.nextInt(HeldBlocks.PLACES);
    boolean keep = random.once(4);
    StressBlock found =
        worker
            .exchange()
            .swap(random.nextInt(worker.exchange().count()), worker.held().take(place));
    if (found == null) {
      return;
    }
    if (keep) {
      worker.held().makeRoom(place, found.size(), random);
      worker.held().put(place, found);
    } else {
      worker.blocks().free(found, random);
    }
  }
}
