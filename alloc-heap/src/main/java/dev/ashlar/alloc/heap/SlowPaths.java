// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.Segment;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.Span;
import dev.ashlar.alloc.segment.SpanAllocator;

/**
 * What a {@link RawFace} does when its fast paths do not apply: the slow ends of an allocator's,
 * and of an explicit heap's, which differ in whose heap serves the calling thread and in whose
 * blocks may be put back.
 */
abstract class SlowPaths {

  /** Returns the allocator's heaps. */
  abstract HeapTable table();

  /** Returns the allocator's spans. */
  abstract SpanAllocator spans();

  /** Returns the allocator's counts. */
  abstract HeapCounts counts();

  /** Returns what this is called in messages. */
  abstract String name();

  /** Returns the mark of live blocks of this; {@link BlockTags#NONE} if frees are not checked. */
  abstract byte tag();

  /**
   * Refuses to go on after close.
   *
   * @throws IllegalStateException if this is closed
   */
  abstract void checkOpen();

  abstract boolean isClosed();

  // ---- taking blocks; the caller marks them as live

  /** Takes a small or medium block when the fast path has not found a slot or not looked. */
  abstract long takeElsewhere(int sizeClass);

  /** Returns whose large blocks are to be, or null if they are the allocator's. */
  abstract HeapPages largeOwner();

  /** Refills the magazine of a slot and takes a block from it. */
  final long refill(long slot, int sizeClass) {
    return takeFrom(heapAt(slot), sizeClass);
  }

  /** Returns the heap whose slot the fast path has found. */
  abstract ThreadHeap heapAt(long slot);

  /** Takes a small or medium block of a heap that is the calling thread's. */
  final long takeFrom(ThreadHeap heap, int sizeClass) {
    heap.begin();
    try {
      return takeInside(heap, sizeClass);
    } finally {
      heap.end();
    }
  }

  /** Takes a small or medium block of a heap that closing waits for the calling thread to leave. */
  final long takeInside(ThreadHeap heap, int sizeClass) {
    try {
      return heap.take(sizeClass);
    } catch (NativeMemoryExhaustedError e) {
      if (table().drainDead()) {
        return heap.take(sizeClass);
      }
      throw e;
    }
  }

  /** Takes a block that is no small one, or refuses its size. */
  final long takeBeyondSmall(long size) {
    checkSize(size);
    return size <= SizeClasses.MEDIUM_BYTES
        ? takeElsewhere(SizeClasses.of((int) size))
        : takeLarge(size, RawAllocator.MIN_ALIGNMENT, false);
  }

  /** Takes a block at an aligned address. */
  final long takeAligned(long size, long alignment, boolean zero) {
    checkSize(size);
    checkAlignment(alignment);
    if (size > SizeClasses.MEDIUM_BYTES || alignment > Segment.SLICE_BYTES) {
      return takeLarge(size, alignment, zero);
    }
    long address = takeElsewhere(SizeClasses.ofAligned((int) size, (int) alignment));
    if (zero) {
      RawMemory.fill(address, size, (byte) 0);
    }
    return address;
  }

  /** Takes a large or huge block. */
  long takeLarge(long size, long alignment, boolean zero) {
    checkOpen();
    if (size > Long.MAX_VALUE - Segment.SLICE_BYTES) {
      throw exhausted(size);
    }
    long bytes = Math.max(size, 1) + Segment.SLICE_BYTES - 1 & -Segment.SLICE_BYTES;
    Span span = takeSpan(bytes, alignment);
    long address = span.address();
    if (zero && !span.zero()) {
      RawMemory.fill(address, size, (byte) 0);
    }
    return address;
  }

  private Span takeSpan(long bytes, long alignment) {
    try {
      return spans().takeLarge(largeOwner(), bytes, alignment);
    } catch (NativeMemoryExhaustedError e) {
      if (table().drainDead()) {
        return spans().takeLarge(largeOwner(), bytes, alignment);
      }
      throw e;
    }
  }

  final NativeMemoryExhaustedError exhausted(long size) {
    return new NativeMemoryExhaustedError(
        size, counts().liveBytes(), ProcessSpace.MAP.space().bytes(), "block size", null);
  }

  static void checkSize(long size) {
    if (size < 0) {
      throw new IllegalArgumentException(
          "size " + size + " is not in 0 to " + Long.MAX_VALUE + " bytes");
    }
  }

  static void checkAlignment(long alignment) {
    if (alignment <= 0 || alignment > RawAllocator.MAX_ALIGNMENT || Long.bitCount(alignment) != 1) {
      throw new IllegalArgumentException(
          "alignment "
              + alignment
              + " is not a power of two in 1 to "
              + RawAllocator.MAX_ALIGNMENT
              + " bytes");
    }
  }

  // ---- putting blocks back

  /**
   * Puts a block back that has been checked and whose mark is gone, but whose class has no room in
   * the magazine of a slot, or no magazine at all.
   *
   * @param entry the page map's entry for the slice of the block
   */
  abstract void flush(long slot, int entry, long address);

  /** Puts a small or medium block on a heap that is the calling thread's. */
  static void giveTo(ThreadHeap heap, int sizeClass, long address) {
    heap.begin();
    try {
      heap.give(sizeClass, address);
    } finally {
      heap.end();
    }
  }

  /**
   * Checks and frees an address in the reservation, for a thread whose slot is not where the fast
   * path looks or that may not free it there.
   */
  abstract void freeElsewhere(long address);

  /** Ends the free of what is no live block: nothing for 0, else an exception. */
  abstract void refuse(long address);

  // ---- asking about blocks

  /** Returns the usable size of a live block, or -1 if an address is none. */
  abstract long usableOrNone(long address);

  final long usableSize(long address) {
    checkOpen();
    long bytes = usableOrNone(address);
    if (bytes < 0) {
      throw noBlock(address);
    }
    return bytes;
  }

  /** Makes the exception for an address that {@link #usableOrNone} answers with -1. */
  abstract RuntimeException noBlock(long address);

  /**
   * Moves a live block to where it can have another size, if that takes no copying.
   *
   * @return the new address, not marked yet, or 0 if it has to be copied
   */
  final long moveWithoutCopy(long address, long usable, long newSize, long alignment) {
    long good = SizeClasses.goodBytes(newSize);
    return usable > SpanAllocator.LARGE_BYTES && good > SpanAllocator.LARGE_BYTES
        ? spans().moveHugeAt(address, good, alignment)
        : 0;
  }

  /** Changes the size of a live block where it is; false if that cannot be done or does not pay. */
  final boolean resizeInPlace(long address, long usable, long newSize) {
    long good = SizeClasses.goodBytes(newSize);
    if (good == usable) {
      return true;
    }
    if (usable > SizeClasses.MEDIUM_BYTES && good > SizeClasses.MEDIUM_BYTES) {
      return spans().resizeLargeAt(address, good);
    }
    return good < usable && good >= usable >>> 1;
  }
}
