// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;

/** What the allocators of this package ask of a request, and how they refuse one. */
final class Requests {

  private static final long MASK = GuestAllocator.MIN_ALIGNMENT - 1;

  private Requests() {}

  /**
   * Rounds a size up to that of a block.
   *
   * @return a positive multiple of 16; for sizes that no memory holds a number above {@link
   *     GuestAllocator#MAX_END}
   * @throws IllegalArgumentException if {@code size} is negative
   */
  static long blockBytes(long size) {
    if (size < 0) {
      throw new IllegalArgumentException(
          "size " + size + " is not in 0 to " + Long.MAX_VALUE + " bytes");
    }
    return size > GuestAllocator.MAX_END ? size : Math.max(size + MASK & ~MASK, MASK + 1);
  }

  static void checkAlignment(long alignment) {
    if (alignment <= 0
        || alignment > GuestAllocator.MAX_ALIGNMENT
        || Long.bitCount(alignment) != 1) {
      throw new IllegalArgumentException(
          "alignment "
              + alignment
              + " is not a power of two in 1 to "
              + GuestAllocator.MAX_ALIGNMENT
              + " bytes");
    }
  }

  /**
   * Checks where a heap is to begin and rounds it up.
   *
   * @return the first multiple of {@code alignment} at or behind it that is not 0
   */
  static long base(LinearMemory memory, long heapBase, long alignment) {
    long most = bytes(memory.maximumPages());
    if (heapBase < 0 || heapBase > most) {
      throw new IllegalArgumentException("heap base " + heapBase + " is not in 0 to " + most);
    }
    return Math.max(heapBase + alignment - 1 & -alignment, alignment);
  }

  static long bytes(int pages) {
    return (long) pages << LinearMemory.PAGE_SHIFT;
  }

  /** Returns how many linear pages hold some bytes from offset 0 on. */
  static int pages(long bytes) {
    return (int) (bytes + LinearMemory.PAGE_BYTES - 1 >>> LinearMemory.PAGE_SHIFT);
  }

  static NativeMemoryExhaustedError exhausted(
      LinearMemory memory, long requested, GuestStats stats) {
    return new NativeMemoryExhaustedError(
        requested,
        stats.liveBytes(),
        bytes(memory.maximumPages()),
        "linear memory",
        new GrowthRefusedException(memory.maximumPages(), stats));
  }
}
