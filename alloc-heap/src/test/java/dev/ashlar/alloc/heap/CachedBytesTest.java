// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.segment.SizeClasses;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

/** What a heap holds back is bounded, however much it frees. */
class CachedBytesTest {

  @Test
  void aHeapHoldsBackAFewHundredKibOfAClass() {
    for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
      int size = SizeClasses.bytes(c);
      try (Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults())) {
        freeMuch(allocator.raw(), size, (4 << 20) / size);
        long magazine = Math.max(64 << 10, 4L * size);
        assertThat(allocator.stats().cachedBytes())
            .as("class of %d bytes", size)
            .isLessThanOrEqualTo(magazine + Depot.CLASS_BYTES);
        AllocatorInvariants.check(allocator);
      }
    }
  }

  @Test
  void aHeapHoldsBackAFewMibOfAllClasses() {
    try (Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults())) {
      long magazines = 0;
      for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
        int size = SizeClasses.bytes(c);
        freeMuch(allocator.raw(), size, (1 << 20) / size);
        magazines += (long) Magazines.capacity(c) * size;
      }
      assertThat(allocator.stats().cachedBytes()).isLessThanOrEqualTo(magazines + Depot.HEAP_BYTES);
      assertThat(allocator.stats().liveBytes()).isZero();
      AllocatorInvariants.check(allocator);
    }
  }

  private static void freeMuch(RawAllocator raw, int size, int count) {
    ArrayDeque<Long> blocks = new ArrayDeque<>();
    for (int i = 0; i < count; i++) {
      blocks.add(raw.malloc(size));
    }
    blocks.forEach(raw::free);
  }
}
