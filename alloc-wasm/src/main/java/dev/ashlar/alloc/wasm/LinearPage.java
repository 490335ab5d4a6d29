// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import dev.ashlar.alloc.segment.SizeClasses;
import java.util.Arrays;

/** A span of a linear memory cut into blocks of one size class, with a bit for each free block. */
final class LinearPage {

  /** The greatest block that is in a page, in bytes. */
  static final int MOST_BYTES = 8 << 10;

  /** The class of the greatest block. */
  static final int LAST_CLASS = SizeClasses.of(MOST_BYTES);

  /** A page is at least so long, in bytes, and holds at least so many blocks. */
  private static final int LEAST_BYTES = 4 << 10;

  private static final int LEAST_BLOCKS = 4;

  /** The share of a page that may stay unused behind its last block, as a shift. */
  private static final int WASTE_SHIFT = 4;

  /** Divides by the block size, as pages are far below 2^20 bytes. */
  private static final int RECIPROCAL_SHIFT = 40;

  private static final int[] SLICES = new int[LAST_CLASS + 1];

  static {
    for (int c = 1; c <= LAST_CLASS; c++) {
      SLICES[c] = slicesFor(SizeClasses.bytes(c));
    }
  }

  final LinearSpan span;
  final int sizeClass;
  final int blockBytes;
  final int capacity;
  int freeCount;

  private final long start;
  private final long reciprocal;
  private final long[] free;

  /** A word of the bitmap before which there is nothing free. */
  private int hint;

  /** Neighbours in the list of pages of this class with free blocks. */
  LinearPage previous;

  LinearPage next;

  /** Makes the page of a span of the length that its class asks for, all blocks free. */
  LinearPage(LinearSpan span, int sizeClass) {
    this.span = span;
    this.sizeClass = sizeClass;
    this.blockBytes = SizeClasses.bytes(sizeClass);
    this.capacity = (int) (span.bytes() / blockBytes);
    this.freeCount = capacity;
    this.start = span.offset();
    this.reciprocal = ((1L << RECIPROCAL_SHIFT) + blockBytes - 1) / blockBytes;
    this.free = new long[capacity + 63 >>> 6];
    Arrays.fill(free, -1L);
    if ((capacity & 63) != 0) {
      free[free.length - 1] = (1L << capacity) - 1;
    }
  }

  private static int slicesFor(int blockBytes) {
    for (int slices = LinearSpan.slices(Math.max(LEAST_BYTES, LEAST_BLOCKS * blockBytes));
        ;
        slices++) {
      int bytes = slices << LinearSpan.SLICE_SHIFT;
      if (bytes % blockBytes <= bytes >>> WASTE_SHIFT) {
        return slices;
      }
    }
  }

  /** Returns how long a page of a class is, in slices. */
  static int slices(int sizeClass) {
    return SLICES[sizeClass];
  }

  /** Takes the first free block, of which there must be one. */
  long take() {
    int word = hint;
    while (free[word] == 0) {
      word++;
    }
    hint = word;
    int bit = Long.numberOfTrailingZeros(free[word]);
    free[word] &= free[word] - 1;
    freeCount--;
    return offsetOf((word << 6) + bit);
  }

  /** Puts a block that is out back. */
  void give(int index) {
    int word = index >>> 6;
    free[word] |= 1L << index;
    hint = Math.min(hint, word);
    freeCount++;
  }

  /** Returns the number of the block that an offset lies in; behind the last one, the capacity. */
  int indexOf(long offset) {
    return (int) ((offset - start) * reciprocal >>> RECIPROCAL_SHIFT);
  }

  long offsetOf(int index) {
    return start + (long) index * blockBytes;
  }

  boolean isFree(int index) {
    return (free[index >>> 6] >>> index & 1) != 0;
  }

  boolean isEmpty() {
    return freeCount == capacity;
  }
}
