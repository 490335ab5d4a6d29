// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.MemoryMisuseException.Kind;

/**
 * Cuts blocks off a linear memory with a cursor that moves upwards.
 *
 * <pre>
 *   0     base                          cursor      limit         end
 *   |.....| block | block |...| block |  not given out ...         |  (grows)
 * </pre>
 *
 * <p>{@link #limit} is where the cursor may go without further thought: not past the memory that is
 * there, and not into a linear page without a table of marks. It is 0 while memory is reused whose
 * marks are outdated.
 *
 * <p>Figures are not counted on the way: what is live is what lies before the cursor, less what was
 * skipped and what was freed.
 */
abstract sealed class CursorAllocator implements GuestAllocator
    permits BumpAllocator, ScopedAllocator {

  final LinearMemory memory;
  final long base;
  final BlockMarks marks = new BlockMarks();

  /** Where the next block begins. */
  long cursor;

  /** Where a block that begins at the cursor may end to be made without further thought. */
  private long limit;

  /** The table of marks of the linear page that the cursor is in, if {@link #limit} is not 0. */
  private byte[] table;

  /** The end of the memory that is this allocator's: another's growth lies behind it. */
  private long end;

  /** Bytes before the cursor that are in no block. */
  long skipped;

  /** Bytes before the cursor in freed blocks. */
  long freed;

  /** Bytes in blocks that once lay before the cursor and do not any more. */
  long given;

  private long peak;

  /** The end of the block that reached farthest; from there on memory was never given out. */
  private long reached;

  CursorAllocator(LinearMemory memory, long heapBase) {
    this.memory = memory;
    this.base = Requests.base(memory, heapBase, MIN_ALIGNMENT);
    this.cursor = base;
    this.reached = base;
    this.end = Math.max(Requests.bytes(memory.pages()), base);
  }

  // ---- allocating

  @Override
  public final long malloc(long size) {
    long start = cursor;
    long next = start + (size + MIN_ALIGNMENT - 1 & -MIN_ALIGNMENT);
    if (Long.compareUnsigned(size - 1, BlockMarks.SMALL_BYTES) < 0 && next <= limit) {
      cursor = next;
      table[BlockMarks.index(start)] = (byte) (next - start >>> 4);
      return start;
    }
    return take(Requests.blockBytes(size), MIN_ALIGNMENT);
  }

  @Override
  public final long alignedAlloc(long size, long alignment) {
    long bytes = Requests.blockBytes(size);
    Requests.checkAlignment(alignment);
    return take(bytes, Math.max(alignment, MIN_ALIGNMENT));
  }

  @Override
  public final long zalloc(long size) {
    long known = Math.max(reached(), memory.zeroFrom());
    long start = malloc(size);
    zero(start, size, known);
    return start;
  }

  /** The same at an aligned offset. */
  final long alignedZalloc(long size, long alignment) {
    long known = Math.max(reached(), memory.zeroFrom());
    long start = take(Requests.blockBytes(size), Math.max(alignment, MIN_ALIGNMENT));
    zero(start, size, known);
    return start;
  }

  /** Writes zeros into the part of a block that lies before memory known to hold zeros. */
  private void zero(long start, long size, long known) {
    long bytes = Math.min(size, known - start);
    if (bytes > 0) {
      memory.fill(start, bytes, (byte) 0);
    }
  }

  /**
   * Returns from where on nothing was ever given out.
   *
   * @return the offset in bytes
   */
  final long reached() {
    reached = Math.max(reached, cursor);
    return reached;
  }

  /**
   * Takes a block.
   *
   * @param bytes its size, from {@link Requests#blockBytes}
   * @param alignment a power of two of at least 16
   * @return the offset
   */
  private long take(long bytes, long alignment) {
    long start = aligned(cursor, alignment);
    if (bytes > MAX_END - start) {
      throw Requests.exhausted(memory, bytes, stats());
    }
    if (start + bytes > Math.min(end, MAX_END)) {
      return takeGrown(bytes, alignment);
    }
    marks.prepare(start, start + bytes);
    advance(start, bytes);
    return start;
  }

  private long takeGrown(long bytes, long alignment) {
    long size = Requests.bytes(memory.pages());
    // What another one added behind the end is not this allocator's: the block goes behind that.
    long from = size > end ? size : cursor;
    long start = aligned(from, alignment);
    if (bytes > MAX_END - start) {
      throw Requests.exhausted(memory, bytes, stats());
    }
    int pages = memory.pages();
    int missing = Requests.pages(start + bytes) - pages;
    if (missing > memory.maximumPages() - pages) {
      throw Requests.exhausted(memory, bytes, stats());
    }
    marks.prepare(start, start + bytes);
    if (memory.grow(missing) == LinearMemory.REFUSED) {
      throw Requests.exhausted(memory, bytes, stats());
    }
    end = Requests.bytes(memory.pages());
    advance(start, bytes);
    return start;
  }

  private static long aligned(long offset, long alignment) {
    return offset + alignment - 1 & -alignment;
  }

  /** Enters a block, for which everything is there, and moves the cursor behind it. */
  private void advance(long start, long bytes) {
    skipped += start - cursor;
    clearOutdated(cursor, start + bytes);
    cursor = start + bytes;
    marks.put(start, bytes);
    setLimit();
  }

  /** Forgets marks of earlier blocks in a range that becomes a block. */
  private void clearOutdated(long from, long to) {
    if (from < reached) {
      marks.clear(from, Math.min(to, reached));
    }
  }

  /** Finds how far the cursor may go without further thought. */
  final void setLimit() {
    int page = (int) (cursor >>> LinearMemory.PAGE_SHIFT);
    table = page < marks.pages.length ? marks.pages[page] : null;
    limit =
        table == null || cursor < reached
            ? 0
            : Math.min(Requests.bytes(page + 1), Math.min(end, MAX_END));
  }

  // ---- resizing

  @Override
  public final long realloc(long offset, long newSize) {
    if (offset == 0) {
      return malloc(newSize);
    }
    long bytes = Requests.blockBytes(newSize);
    long old = usableSize(offset);
    if (bytes <= old || growsInPlace(offset, old, bytes)) {
      return offset;
    }
    long moved = malloc(newSize);
    memory.copy(offset, moved, old);
    free(offset);
    return moved;
  }

  /** Grows the block before the cursor where it is, if it is that and there is memory. */
  private boolean growsInPlace(long offset, long old, long bytes) {
    if (offset + old != cursor || !mayGrow(offset) || bytes > MAX_END - offset) {
      return false;
    }
    if (offset + bytes > end) {
      int pages = memory.pages();
      int missing = Requests.pages(offset + bytes) - pages;
      if (Requests.bytes(pages) != end || missing > memory.maximumPages() - pages) {
        return false;
      }
      marks.prepare(offset, offset + bytes);
      if (memory.grow(missing) == LinearMemory.REFUSED) {
        throw Requests.exhausted(memory, bytes, stats());
      }
      end = Requests.bytes(memory.pages());
    } else {
      marks.prepare(offset, offset + bytes);
    }
    clearOutdated(cursor, offset + bytes);
    cursor = offset + bytes;
    marks.resizeLast(offset, bytes);
    setLimit();
    return true;
  }

  /** Tells whether the block before the cursor may become longer. */
  abstract boolean mayGrow(long offset);

  // ---- freeing

  /** Marks a block as freed; nothing else happens to it. */
  @Override
  public void free(long offset) {
    if (offset >= base && offset < cursor && (offset & MIN_ALIGNMENT - 1) == 0) {
      byte[] page = marks.pages[(int) (offset >>> LinearMemory.PAGE_SHIFT)];
      if (page != null) {
        int index = BlockMarks.index(offset);
        int granules = page[index];
        if (Integer.compareUnsigned(granules - 1, 126) < 0) {
          page[index] = (byte) -granules;
          countFreed((long) granules << 4);
          return;
        }
      }
    }
    if (offset != 0) {
      long bytes = usableSize(offset);
      marks.free(offset);
      countFreed(bytes);
    }
  }

  private void countFreed(long bytes) {
    notePeak();
    freed += bytes;
  }

  /** Notes the most that was live; to be called before something is not live any more. */
  final void notePeak() {
    long live = live();
    if (live > peak) {
      peak = live;
    }
  }

  private long live() {
    return cursor - base - skipped - freed;
  }

  @Override
  public final long usableSize(long offset) {
    long bytes = offset >= base && offset < cursor ? marks.bytesAt(offset) : 0;
    if (bytes <= 0) {
      throw misuse(offset);
    }
    return bytes;
  }

  private MemoryMisuseException misuse(long offset) {
    if (offset < base || offset >= cursor) {
      return new MemoryMisuseException(
          Kind.FOREIGN, offset, "blocks are from " + base + " to " + cursor);
    }
    long start = marks.startAtOrBefore(offset);
    long bytes = start < base ? 0 : marks.bytesAt(start);
    if (offset - start >= Math.abs(bytes)) {
      return new MemoryMisuseException(Kind.FOREIGN, offset, "it lies between blocks");
    }
    return new MemoryMisuseException(
        bytes < 0 ? Kind.DOUBLE_FREE : Kind.INTERIOR,
        offset,
        "a block of " + Math.abs(bytes) + " bytes begins at " + start);
  }

  // ---- counting

  @Override
  public final GuestStats stats() {
    notePeak();
    return new GuestStats(
        live(),
        peak,
        given + cursor - base - skipped,
        reached() > base ? Requests.pages(reached) : 0,
        memory.pages());
  }
}
