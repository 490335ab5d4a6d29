// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Proves the promises of the size classes for every size there is. */
class SizeClassesTest {

  private static final int CLASSES = SizeClasses.LAST_MEDIUM;

  @Test
  void classesAscendInStepsOfSixteenBytesAndEndAtTheirLimits() {
    for (int c = 1; c <= CLASSES; c++) {
      assertThat(SizeClasses.bytes(c) % 16).as("class %d", c).isZero();
      if (c > 1) {
        assertThat(SizeClasses.bytes(c)).as("class %d", c).isGreaterThan(SizeClasses.bytes(c - 1));
      }
    }
    assertThat(SizeClasses.bytes(1)).isEqualTo(16);
    assertThat(SizeClasses.bytes(SizeClasses.LAST_SMALL)).isEqualTo(SizeClasses.SMALL_BYTES);
    assertThat(SizeClasses.bytes(CLASSES)).isEqualTo(SizeClasses.MEDIUM_BYTES);
    assertThat(SizeClasses.LARGE).isGreaterThan(CLASSES).isLessThan(SizeClasses.TABLE_LENGTH);
  }

  @Test
  void everySizeGetsTheLeastClassThatHoldsIt() {
    for (int size = 0; size <= SizeClasses.MEDIUM_BYTES; size++) {
      int c = SizeClasses.of(size);
      if (SizeClasses.bytes(c) < size || c > 1 && SizeClasses.bytes(c - 1) >= size) {
        throw new AssertionError("size " + size + " has class " + c);
      }
      if (size <= SizeClasses.SMALL_BYTES && SizeClasses.ofSmall(size) != c) {
        throw new AssertionError("size " + size + " has small class " + SizeClasses.ofSmall(size));
      }
    }
  }

  @Test
  void noSizeAbove128BytesWastesMoreThanAnEighth() {
    for (long size = 1; size <= SizeClasses.MEDIUM_BYTES + 20 * Segment.SLICE_BYTES; size++) {
      long waste = SizeClasses.goodBytes(size) - size;
      if (waste < 0 || waste > (size <= 128 ? 15 : size / 8)) {
        throw new AssertionError("size " + size + " wastes " + waste + " bytes");
      }
    }
  }

  @Test
  void goodSizesAreFixedPointsAndOverflowIsTold() {
    for (long size = 1; size > 0; size = size * 3 + 1) {
      long good = SizeClasses.goodBytes(size);
      assertThat(SizeClasses.goodBytes(good)).isEqualTo(good);
    }
    assertThat(SizeClasses.goodBytes(Long.MAX_VALUE)).isEqualTo(-1);
    assertThat(SizeClasses.goodBytes(Long.MAX_VALUE - Segment.SLICE_BYTES + 1))
        .isEqualTo(Long.MAX_VALUE - Segment.SLICE_BYTES + 1);
    assertThat(SizeClasses.goodBytes(Long.MAX_VALUE - Segment.SLICE_BYTES + 2)).isEqualTo(-1);
  }

  @Test
  void alignedClassesHoldTheSizeAtMultiplesOfTheAlignment() {
    for (int alignment = 1; alignment <= Segment.SLICE_BYTES; alignment *= 2) {
      for (int size = 0; size <= SizeClasses.MEDIUM_BYTES; size += size < 4096 ? 1 : 97) {
        int bytes = SizeClasses.bytes(SizeClasses.ofAligned(size, alignment));
        if (bytes < size || bytes % alignment != 0) {
          throw new AssertionError(size + " aligned to " + alignment + " gets " + bytes);
        }
      }
    }
  }

  @Test
  void pagesWasteAtMostASixteenthAndSmallOnesHoldEightBlocks() {
    for (int c = 1; c <= CLASSES; c++) {
      long bytes = SizeClasses.pageSlices(c) * Segment.SLICE_BYTES;
      long blocks = bytes / SizeClasses.bytes(c);
      assertThat(bytes - blocks * SizeClasses.bytes(c)).as("class %d", c).isBetween(0L, bytes / 16);
      assertThat(blocks)
          .as("class %d", c)
          .isGreaterThanOrEqualTo(c <= SizeClasses.LAST_SMALL ? 8 : 1);
    }
  }
}
