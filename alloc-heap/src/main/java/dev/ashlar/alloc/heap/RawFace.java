// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static dev.ashlar.alloc.heap.ProcessSpace.BASE;
import static dev.ashlar.alloc.heap.ProcessSpace.CLASSES;
import static dev.ashlar.alloc.heap.ProcessSpace.MARKS;
import static dev.ashlar.alloc.heap.ProcessSpace.OWNERS;
import static dev.ashlar.alloc.heap.ProcessSpace.SHIFT;
import static dev.ashlar.alloc.heap.ProcessSpace.SLOT_BASE;
import static dev.ashlar.alloc.heap.ProcessSpace.SLOT_MASK;

import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.SizeClasses;

/**
 * The malloc family, with the fast paths of all faces.
 *
 * <p>A record, because the compiler trusts the fields of a record whose instance is a constant: a
 * caller that keeps this in a static final field pays no load for any of them.
 *
 * <p>The fast methods are kept far below the compiler's limit for inlining, their slow ends are in
 * {@link SlowPaths}, and every address they touch is a constant plus an unsigned number, which
 * needs no bounds check.
 *
 * @param table where slot 0 of the heap table is, in bytes from {@link ProcessSpace#SLOT_BASE}
 * @param slotMask what a thread's id is masked with to give its slot
 * @param ownerKey what is added to a thread's id to give the owner word of its slot
 * @param tag the mark of this allocator's live blocks; {@link BlockTags#NONE} if frees are not
 *     checked
 * @param number what the page map must have as the owner of a block's slice; 0 to not look, for an
 *     allocator's face
 * @param slow the slow paths
 */
record RawFace(long table, long slotMask, long ownerKey, byte tag, int number, SlowPaths slow)
    implements RawAllocator {

  /** A number that no slice in the page map has. */
  static final int NO_NUMBER = 256;

  /** Makes the face of an allocator: a thread's slot is found by its id. */
  static RawFace of(HeapEngine engine) {
    HeapTable heaps = engine.table();
    return new RawFace(
        heaps.offset(), heaps.slots() - 1, heaps.ownerKey(), engine.tag(), 0, engine);
  }

  /**
   * Makes the face of an explicit heap: the one slot for whatever thread, which must be its owner.
   */
  static RawFace of(ExplicitHeap heap) {
    long offset = heap.slot() - SLOT_BASE;
    return new RawFace(offset, 0, heap.ownerKey(), heap.tag(), heap.fastNumber(), heap);
  }

  // ---- the fast paths

  /** Returns where the slot of a thread is, whether or not it is the thread's. */
  private long slotOf(long threadId) {
    return SLOT_BASE + (table + ((threadId & slotMask) << Magazines.SLOT_SHIFT) & SLOT_MASK);
  }

  @Override
  public long malloc(long size) {
    // Unsigned, so that negative sizes go the slow way too.
    return Long.compareUnsigned(size, SizeClasses.SMALL_BYTES) <= 0
        ? mark(take(SizeClasses.ofSmall(size)))
        : mark(slow.takeBeyondSmall(size));
  }

  private long take(int sizeClass) {
    long threadId = Thread.currentThread().threadId();
    long slot = slotOf(threadId);
    if (RawMemory.getLong(Magazines.ownerAddress(slot)) != (threadId | ownerKey)) {
      return slow.takeElsewhere(sizeClass);
    }
    long at = Magazines.topAddress(slot, sizeClass);
    long top = RawMemory.getLong(at);
    if (Magazines.isEmpty(top)) {
      return slow.refill(slot, sizeClass);
    }
    top = Magazines.lessOne(top);
    long address = RawMemory.getLong(Magazines.place(top));
    RawMemory.putLong(at, top);
    return address;
  }

  /** Marks a block as live, which is the last thing before it is given out. */
  private long mark(long address) {
    if (tag != BlockTags.NONE) {
      RawMemory.putByte(MARKS + (address >>> 4), tag);
    }
    return address;
  }

  @Override
  public void free(long address) {
    long offset = address - BASE;
    // The rotation brings the low four bits to the top: one compare finds foreign and misaligned.
    // Without checks foreign is enough, as that keeps the look-ups inside their tables.
    if ((tag == BlockTags.NONE ? offset >>> SHIFT : Long.rotateRight(offset, 4) >>> SHIFT - 4)
        != 0) {
      slow.refuse(address);
      return;
    }
    long threadId = Thread.currentThread().threadId();
    long slot = slotOf(threadId);
    // Before the mark is touched: after close this is how a stale face finds that it is closed.
    if (RawMemory.getLong(Magazines.ownerAddress(slot)) != (threadId | ownerKey)) {
      slow.freeElsewhere(address);
      return;
    }
    if (number != 0 && number != (RawMemory.getByte(OWNERS + (offset >>> 16)) & 0xff)) {
      slow.freeElsewhere(address);
      return;
    }
    if (tag != BlockTags.NONE) {
      long mark = MARKS + (address >>> 4);
      if (RawMemory.getByte(mark) != tag) {
        slow.refuse(address);
        return;
      }
      RawMemory.putByte(mark, BlockTags.NONE);
    }
    int entry = RawMemory.getByte(CLASSES + (offset >>> 16)) & SizeClasses.TABLE_LENGTH - 1;
    if (number != 0) {
      entry ^= SizeClasses.OWNED; // the heap's own pages are ordinary to it, and no others
    }
    long at = Magazines.topAddress(slot, entry);
    long top = RawMemory.getLong(at);
    if (Magazines.isFull(top)) {
      slow.flush(slot, entry, address);
      return;
    }
    RawMemory.putLong(Magazines.place(top), address);
    RawMemory.putLong(at, Magazines.plusOne(top));
  }

  // ---- the rest of the family

  @Override
  public long zalloc(long size) {
    if (Long.compareUnsigned(size, SizeClasses.MEDIUM_BYTES) > 0) {
      SlowPaths.checkSize(size);
      return mark(slow.takeLarge(size, MIN_ALIGNMENT, true));
    }
    long address = malloc(size);
    RawMemory.fill(address, size, (byte) 0);
    return address;
  }

  @Override
  public long calloc(long count, long size) {
    if (count < 0 || size < 0) {
      throw new IllegalArgumentException(
          "count " + count + " or size " + size + " bytes is not in 0 to " + Long.MAX_VALUE);
    }
    if (Math.multiplyHigh(count, size) != 0 || count * size < 0) {
      slow.checkOpen();
      throw slow.exhausted(Long.MAX_VALUE);
    }
    return zalloc(count * size);
  }

  @Override
  public long alignedAlloc(long size, long alignment) {
    return 0 < alignment && alignment <= MIN_ALIGNMENT && Long.bitCount(alignment) == 1
        ? malloc(size)
        : mark(slow.takeAligned(size, alignment, false));
  }

  @Override
  public long alignedZalloc(long size, long alignment) {
    return 0 < alignment && alignment <= MIN_ALIGNMENT && Long.bitCount(alignment) == 1
        ? zalloc(size)
        : mark(slow.takeAligned(size, alignment, true));
  }

  @Override
  public long realloc(long address, long newSize) {
    return alignedRealloc(address, newSize, 1);
  }

  @Override
  public long alignedRealloc(long address, long newSize, long alignment) {
    SlowPaths.checkSize(newSize);
    SlowPaths.checkAlignment(alignment);
    if (address == 0) {
      return alignedAlloc(newSize, alignment);
    }
    long usable = slow.usableSize(address);
    if ((address & alignment - 1) == 0 && slow.resizeInPlace(address, usable, newSize)) {
      return address;
    }
    long moved = slow.moveWithoutCopy(address, usable, newSize, alignment);
    if (moved != 0) {
      return mark(moved);
    }
    moved = alignedAlloc(newSize, alignment);
    RawMemory.copy(address, moved, Math.min(usable, newSize));
    free(address);
    return moved;
  }

  @Override
  public long usableSize(long address) {
    return slow.usableSize(address);
  }

  @Override
  public long goodSize(long size) {
    SlowPaths.checkSize(size);
    long good = SizeClasses.goodBytes(size);
    if (good < 0) {
      throw slow.exhausted(size);
    }
    return good;
  }

  @Override
  public boolean owns(long address) {
    return !slow.isClosed() && slow.usableOrNone(address) >= 0;
  }

  @Override
  public String toString() {
    return "RawAllocator[" + slow.name() + "]";
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
