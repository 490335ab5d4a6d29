// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/**
 * Allocates many small blocks of one size, leaves some of them to other workers, and frees what it
 * finds in their stead and the rest. So magazines run empty and full, and whole bitmap words come
 * back to pages of other heaps.
 */
final class BurstOperation implements StressOperation {

  private static final int MOST_BLOCKS = 400;
  private static final int MOST_BYTES = 2048;

  @Override
  public void run(StressWorker worker, StepRandom random) {
    CheckedBlocks blocks = worker.blocks();
    ExchangeSlots exchange = worker.exchange();
    int size = random.nextSkewed(MOST_BYTES);
    int slot = random.nextInt(exchange.count());
    int shared = random.nextInt(exchange.count() / 2);
    StressBlock[] burst = new StressBlock[1 + random.nextInt(MOST_BLOCKS)];
    for (int i = 0; i < burst.length; i++) {
      burst[i] = blocks.allocate(size, 1, random);
    }
    for (int i = 0; i < burst.length; i++) {
      StressBlock block = burst[i];
      if (i < shared) {
        block = exchange.swap((slot + i) % exchange.count(), block);
      }
      if (block != null) {
        blocks.free(block, random);
      }
    }
  }
}
