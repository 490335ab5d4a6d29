// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import org.junit.jupiter.api.Test;

/** Rounding a size up to a usable one costs at most an eighth. */
class SizeRoundingTest {

  @Test
  void aBlockIsAtMostAnEighthLargerThanAsked() {
    try (Allocator allocator = Ashlar.builder().name("rounding").build()) {
      RawAllocator raw = allocator.raw();
      for (long size = 1; size <= 128; size++) {
        assertThat(raw.goodSize(size)).isLessThan(size + RawAllocator.MIN_ALIGNMENT);
      }
      for (long size = 129; size <= 1L << 30; size += 1 + size / 1_000) {
        assertWithinAnEighth(raw, size);
      }
      for (int bit = 7; bit <= 36; bit++) {
        for (long eighth = 8; eighth <= 16; eighth++) {
          // One more than a size class is where rounding costs most.
          assertWithinAnEighth(raw, (eighth << (bit - 3)) + 1);
        }
      }
    }
  }

  private static void assertWithinAnEighth(RawAllocator raw, long size) {
    assertThat(raw.goodSize(size)).as("good size of %d", size).isBetween(size, size + size / 8);
  }

  @Test
  void anAlignedBlockIsAtMostAnEighthLargerThanItsSizeAndAlignment() {
    try (Allocator allocator = Ashlar.builder().name("rounding").build()) {
      RawAllocator raw = allocator.raw();
      for (long alignment = 16; alignment <= 4_096; alignment *= 2) {
        for (long size = 129; size <= 100_000; size += 1 + size / 10) {
          long block = raw.alignedAlloc(size, alignment);
          long most = size + alignment;
          assertThat(raw.usableSize(block)).isBetween(size, most + most / 8);
          raw.free(block);
        }
      }
    }
  }
}
