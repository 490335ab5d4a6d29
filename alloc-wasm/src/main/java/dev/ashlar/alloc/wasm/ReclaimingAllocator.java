// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.MemoryMisuseException.Kind;
import dev.ashlar.alloc.segment.SizeClasses;

/**
 * An allocator that reuses every block: for programs that run on in a memory that cannot shrink.
 *
 * <p>Blocks to 8 KiB are in pages of one size class, larger ones are spans of slices of 1 KiB. The
 * smallest span that fits is taken, free neighbours are coalesced, and a page whose blocks are all
 * free is a free span again: of each class one such page is kept until its space is needed. The
 * memory grows only when nothing in it does, by no more than what is missing.
 *
 * <p>Blocks begin at or behind the first multiple of 1,024 from the heap base on.
 *
 * <p>Not safe for use by several threads at once; see {@link #locked()}.
 */
public final class ReclaimingAllocator implements GuestAllocator {

  private final LinearMemory memory;
  final LinearSpans spans;

  /** The first page of each class that has free blocks. */
  final LinearPage[] pages = new LinearPage[LinearPage.LAST_CLASS + 1];

  /** Of each class a page all of whose blocks are free, or null. */
  private final LinearPage[] empty = new LinearPage[LinearPage.LAST_CLASS + 1];

  private long liveBytes;
  private long peakBytes;
  private long cumulativeBytes;

  /**
   * Makes an allocator over a memory from some offset on. No one else may use the memory from there
   * to its present end; what others add to it later stays theirs.
   *
   * @param memory the memory
   * @param heapBase where blocks may begin, as an offset in bytes: behind what a guest has of its
   *     own there. It is rounded up to a multiple of 1,024, and to at least that
   * @throws IllegalArgumentException if {@code heapBase} is not in the memory's maximum
   */
  public ReclaimingAllocator(LinearMemory memory, long heapBase) {
    this.memory = memory;
    this.spans = new LinearSpans(memory, Requests.base(memory, heapBase, LinearSpan.SLICE_BYTES));
  }

  // ---- allocating

  @Override
  public long malloc(long size) {
    long bytes = Requests.blockBytes(size);
    return bytes <= LinearPage.MOST_BYTES
        ? takeBlock(SizeClasses.ofSmall(bytes))
        : takeLarge(bytes, 1);
  }

  @Override
  public long alignedAlloc(long size, long alignment) {
    long bytes = Requests.blockBytes(size);
    Requests.checkAlignment(alignment);
    if (bytes <= LinearPage.MOST_BYTES && alignment <= LinearSpan.SLICE_BYTES) {
      int sizeClass = SizeClasses.ofAligned((int) bytes, (int) alignment);
      if (sizeClass <= LinearPage.LAST_CLASS) {
        return takeBlock(sizeClass);
      }
    }
    return takeLarge(bytes, (int) Math.max(1, alignment >>> LinearSpan.SLICE_SHIFT));
  }

  @Override
  public long zalloc(long size) {
    long known = Math.max(spans.reached(), memory.zeroFrom());
    long offset = malloc(size);
    long bytes = Math.min(size, known - offset);
    if (bytes > 0) {
      memory.fill(offset, bytes, (byte) 0);
    }
    return offset;
  }

  private long takeBlock(int sizeClass) {
    LinearPage page = pages[sizeClass];
    if (page == null) {
      page = addPage(sizeClass);
    }
    if (page == empty[sizeClass]) {
      empty[sizeClass] = null;
    }
    long offset = page.take();
    if (page.freeCount == 0) {
      unlink(page);
    }
    countTaken(page.blockBytes);
    return offset;
  }

  private LinearPage addPage(int sizeClass) {
    LinearSpan span = takeSpan(LinearPage.slices(sizeClass), 1, SizeClasses.bytes(sizeClass));
    LinearPage page;
    try {
      page = new LinearPage(span, sizeClass);
      spans.preparePage(span);
    } catch (OutOfMemoryError e) {
      spans.give(span);
      throw e;
    }
    spans.enterPage(span, page);
    link(page);
    return page;
  }

  private long takeLarge(long bytes, int alignment) {
    if (bytes > MAX_END) {
      throw Requests.exhausted(memory, bytes, stats());
    }
    LinearSpan span = takeSpan(LinearSpan.slices(bytes), alignment, bytes);
    countTaken(span.bytes());
    return span.offset();
  }

  private LinearSpan takeSpan(int slices, int alignment, long bytes) {
    LinearSpan span = takeFree(slices, alignment);
    if (span == null) {
      span = spans.takeGrown(slices, alignment);
    }
    if (span == null) {
      throw Requests.exhausted(memory, bytes, stats());
    }
    return span;
  }

  private LinearSpan takeFree(int slices, int alignment) {
    LinearSpan span = spans.take(slices, alignment);
    return span == null && giveEmptyPages() ? spans.take(slices, alignment) : span;
  }

  /** Makes free spans of the pages that are kept empty. */
  private boolean giveEmptyPages() {
    boolean any = false;
    for (int c = 1; c < empty.length; c++) {
      LinearPage page = empty[c];
      if (page != null) {
        empty[c] = null;
        unlink(page);
        spans.give(page.span);
        any = true;
      }
    }
    return any;
  }

  private void countTaken(long bytes) {
    liveBytes += bytes;
    cumulativeBytes += bytes;
    peakBytes = Math.max(peakBytes, liveBytes);
  }

  // ---- freeing

  @Override
  public void free(long offset) {
    if (offset == 0) {
      return;
    }
    LinearSpan span = liveSpan(offset);
    LinearPage page = span.page;
    if (page == null) {
      liveBytes -= span.bytes();
      spans.give(span);
      return;
    }
    liveBytes -= page.blockBytes;
    if (page.freeCount == 0) {
      link(page);
    }
    page.give(page.indexOf(offset));
    if (page.isEmpty()) {
      if (empty[page.sizeClass] == null) {
        empty[page.sizeClass] = page;
      } else {
        unlink(page);
        spans.give(page.span);
      }
    }
  }

  /** Returns the span of the live block that begins at an offset, a page or the block itself. */
  private LinearSpan liveSpan(long offset) {
    LinearSpan span = spans.spanAt(offset);
    if (span != null) {
      LinearPage page = span.page;
      if (page == null) {
        if (span.offset() == offset) {
          return span;
        }
      } else {
        int index = page.indexOf(offset);
        if (index < page.capacity && page.offsetOf(index) == offset && !page.isFree(index)) {
          return span;
        }
      }
    }
    throw misuse(offset);
  }

  private MemoryMisuseException misuse(long offset) {
    LinearSpan span = spans.spanAround(offset);
    if (span == null || span.kind == LinearSpan.Kind.HOLE) {
      return new MemoryMisuseException(
          Kind.FOREIGN, offset, "it lies in no memory of this allocator");
    }
    if (span.kind == LinearSpan.Kind.FREE) {
      return offset < spans.reached()
          ? new MemoryMisuseException(Kind.DOUBLE_FREE, offset, "it lies in a free span")
          : new MemoryMisuseException(
              Kind.FOREIGN, offset, "it lies behind all blocks there ever were");
    }
    LinearPage page = span.page;
    if (page == null) {
      return new MemoryMisuseException(
          Kind.INTERIOR,
          offset,
          "a large block of " + span.bytes() + " bytes begins at " + span.offset());
    }
    int index = page.indexOf(offset);
    if (index >= page.capacity) {
      return new MemoryMisuseException(
          Kind.FOREIGN, offset, "it lies behind the last block of its page");
    }
    return new MemoryMisuseException(
        page.isFree(index) ? Kind.DOUBLE_FREE : Kind.INTERIOR,
        offset,
        "a block of " + page.blockBytes + " bytes begins at " + page.offsetOf(index));
  }

  // ---- resizing

  @Override
  public long realloc(long offset, long newSize) {
    if (offset == 0) {
      return malloc(newSize);
    }
    long bytes = Requests.blockBytes(newSize);
    LinearSpan span = liveSpan(offset);
    if (span.page == null && bytes <= MAX_END) {
      return reallocLarge(span, bytes);
    }
    long old = bytesOf(span);
    if (bytes <= old) {
      return offset;
    }
    long moved = malloc(newSize);
    memory.copy(offset, moved, old);
    free(offset);
    return moved;
  }

  /** Tries in turn: the place it has, free memory beside it, free memory elsewhere, growth. */
  private long reallocLarge(LinearSpan span, long bytes) {
    int slices = LinearSpan.slices(bytes);
    int more = slices - span.slices;
    if (more < 0) {
      spans.shorten(span, slices);
      liveBytes += (long) more << LinearSpan.SLICE_SHIFT;
    }
    if (more <= 0) {
      return span.offset();
    }
    LinearSpan to = null;
    if (!spans.lengthen(span, slices)) {
      to = takeFree(slices, 1);
      // Pages that were given back for the search may have made room beside the block.
      if (to == null && !spans.lengthen(span, slices)) {
        if (!spans.mayLengthenGrown(span, slices)) {
          to = takeSpan(slices, 1, bytes);
        } else if (!spans.lengthenGrown(span, slices)) {
          throw Requests.exhausted(memory, bytes, stats());
        }
      }
    }
    if (to == null) {
      countTaken((long) more << LinearSpan.SLICE_SHIFT);
      return span.offset();
    }
    countTaken(to.bytes());
    memory.copy(span.offset(), to.offset(), span.bytes());
    free(span.offset());
    return to.offset();
  }

  @Override
  public long usableSize(long offset) {
    return bytesOf(liveSpan(offset));
  }

  private static long bytesOf(LinearSpan span) {
    return span.page == null ? span.bytes() : span.page.blockBytes;
  }

  // ---- the lists of pages with free blocks

  private void link(LinearPage page) {
    LinearPage head = pages[page.sizeClass];
    page.previous = null;
    page.next = head;
    if (head != null) {
      head.previous = page;
    }
    pages[page.sizeClass] = page;
  }

  private void unlink(LinearPage page) {
    if (page.previous == null) {
      pages[page.sizeClass] = page.next;
    } else {
      page.previous.next = page.next;
    }
    if (page.next != null) {
      page.next.previous = page.previous;
    }
    page.previous = null;
    page.next = null;
  }

  // ---- counting

  @Override
  public GuestStats stats() {
    long reached = spans.reached();
    return new GuestStats(
        liveBytes,
        peakBytes,
        cumulativeBytes,
        cumulativeBytes == 0 ? 0 : Requests.pages(reached),
        memory.pages());
  }
}
