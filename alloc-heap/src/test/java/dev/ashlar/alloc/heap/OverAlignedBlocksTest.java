// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.testkit.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Alignments above a slice make spans of their own out of sizes that are otherwise blocks of pages.
 */
class OverAlignedBlocksTest {

  @Test
  void everySizeAtEveryAlignmentIsAlignedLargeEnoughAndDisjoint() {
    long seed = TestSeed.choose("over-aligned blocks");
    SplittableRandom random = new SplittableRandom(seed);
    try (Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults())) {
      RawAllocator raw = allocator.raw();
      TreeMap<Long, Long> ends = new TreeMap<>();
      List<Long> blocks = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        long alignment = 1L << random.nextInt(27);
        long size = random.nextLong(1, 1_200_000) >>> random.nextInt(12);
        long address = raw.alignedAlloc(size, alignment);
        long usable = raw.usableSize(address);
        assertThat(address % alignment).isZero();
        assertThat(usable).isGreaterThanOrEqualTo(size);
        Map.Entry<Long, Long> before = ends.floorEntry(address + usable - 1);
        assertThat(before == null || before.getValue() <= address)
            .as("%d bytes aligned to %d overlap another block", size, alignment)
            .isTrue();
        ends.put(address, address + usable);
        blocks.add(address);
        if (blocks.size() > 100) {
          long freed = blocks.remove(random.nextInt(blocks.size()));
          ends.remove(freed);
          raw.free(freed);
        }
        if (i % 100 == 0) {
          AllocatorInvariants.check(allocator);
        }
      }
      blocks.forEach(raw::free);
      AllocatorInvariants.check(allocator);
      assertThat(allocator.stats().liveBytes()).isZero();
    }
  }
}
