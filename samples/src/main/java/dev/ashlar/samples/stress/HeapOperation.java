// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.api.Heap;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a heap of its own, allocates from it, leaves some of its blocks to other workers, and ends
 * it: by deleting it, after which the blocks live on, or, when nobody else has any of them, by
 * destroying it.
 */
final class HeapOperation implements StressOperation {

  private static final int MOST_BLOCKS = 200;

  @Override
  public void run(StressWorker worker, StepRandom random) {
    boolean destroy = random.once(2);
    int slot = random.nextInt(worker.exchange().count());
    int count = 1 + random.nextInt(MOST_BLOCKS);
    List<StressBlock> blocks = new ArrayList<>();
    Heap heap = worker.blocks().allocator().newHeap();
    for (int i = 0; i < count; i++) {
      StressBlock block = worker.blocks().allocateFrom(heap, random.nextSkewed(100_000), random);
      if (!destroy && i % 4 == 0) {
        StressBlock found = worker.exchange().swap((slot + i) % worker.exchange().count(), block);
        if (found != null) {
          worker.blocks().free(found, random);
        }
      } else if (i % 4 == 1) {
        worker.blocks().freeTo(heap, block);
      } else {
        blocks.add(block);
      }
    }
    if (random.once(4)) {
      heap.collect(random.once(2));
    }
    end(worker, heap, destroy, blocks, random);
  }

  private static void end(
      StressWorker worker,
      Heap heap,
      boolean destroy,
      List<StressBlock> blocks,
      StepRandom random) {
    if (destroy) {
      long[] seen = new long[1];
      heap.forEachBlock((address, usable) -> seen[0]++);
      if (seen[0] != blocks.size()) {
        throw new StressFault(
            "a heap with " + blocks.size() + " blocks shows " + seen[0] + " to its visitor");
      }
      blocks.forEach(BlockCanary::check);
      heap.destroy();
    } else {
      heap.delete();
      blocks.forEach(block -> worker.blocks().free(block, random));
    }
  }
}
