// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import dev.ashlar.alloc.wasm.LinearSpan.Kind;
import java.util.Arrays;

/**
 * Cuts a linear memory into spans, coalesces them when they come back, and grows the memory when
 * nothing else does.
 *
 * <pre>
 *   0      first slice                                                 end
 *   |......| page | large block |  free span  | page |  free span      |  (grows)
 *   entries  P  P   A  -  -  A    B  - ...  B   P  P   C   - ...     C
 * </pre>
 *
 * <p>Invariants: spans lie end to end from the first slice to the end; no two neighbours are free;
 * a page is entered at each of its slices, any other span at its first and last one. Entries
 * between those ends are of earlier spans and mean nothing.
 *
 * <p>Everything that can fail is done before anything changes.
 */
final class LinearSpans {

  private static final int PAGE_SLICES_SHIFT = LinearMemory.PAGE_SHIFT - LinearSpan.SLICE_SHIFT;
  private static final int PAGE_SLICES = 1 << PAGE_SLICES_SHIFT;

  /** The last slice of the greatest memory is not used: see {@link GuestAllocator#MAX_END}. */
  private static final int MOST_END = (LinearMemory.MAX_PAGES << PAGE_SLICES_SHIFT) - 1;

  private final LinearMemory memory;
  final SpanBins bins = new SpanBins();
  final int firstSlice;

  /** What spans begin and end in each linear page, and what pages they are in. */
  private LinearSpan[][] entries = new LinearSpan[1][];

  /** The first slice that is not this allocator's, or not there yet. */
  int end;

  /** The first slice that was never in a span in use, nor any after it. */
  private int reached;

  /** Spare span objects, linked by {@code next}. */
  private LinearSpan spares;

  LinearSpans(LinearMemory memory, long base) {
    this.memory = memory;
    this.firstSlice = (int) (base >>> LinearSpan.SLICE_SHIFT);
    this.reached = firstSlice;
    this.end = Math.max(sizeInSlices(), firstSlice);
    if (end > firstSlice) {
      prepare(firstSlice);
      prepare(end - 1);
      addFree(new LinearSpan().set(firstSlice, end - firstSlice, Kind.FREE));
    }
  }

  private int sizeInSlices() {
    return Math.min(memory.pages() << PAGE_SLICES_SHIFT, MOST_END);
  }

  /**
   * Takes a run of slices out of what is free.
   *
   * @return a span of kind LARGE, or null if there is no such run
   */
  LinearSpan take(int slices, int alignment) {
    LinearSpan found = bins.bestFit(slices, alignment);
    if (found == null) {
      return null;
    }
    int first = found.first + alignment - 1 & -alignment;
    prepareEnds(first, slices);
    return cut(found, first, slices);
  }

  /**
   * Takes a run of slices at the end of the memory, which grows by what is missing.
   *
   * @return a span of kind LARGE, or null if the memory does not grow as far; nothing has changed
   *     then
   */
  LinearSpan takeGrown(int slices, int alignment) {
    int size = sizeInSlices();
    LinearSpan tail = size > end ? null : freeTail();
    long start = tail == null ? Math.max(size, end) : tail.first;
    long first = start + alignment - 1 & -alignment;
    if (!canGrow(first + slices)) {
      return null;
    }
    prepareEnds((int) first, slices);
    return grow(first + slices) ? cut(freeTail(), (int) first, slices) : null;
  }

  /**
   * Lengthens a span into a free neighbour to its right.
   *
   * @return false if there is none that is long enough; nothing has changed then
   */
  boolean lengthen(LinearSpan span, int slices) {
    LinearSpan after = span.end() < end ? at(span.end()) : null;
    int more = slices - span.slices;
    if (after == null || after.kind != Kind.FREE || after.slices < more) {
      return false;
    }
    prepareEnds(span.end(), more);
    lengthenInto(after, span, slices);
    return true;
  }

  /** Tells whether a span could be longer if the memory grew. */
  boolean mayLengthenGrown(LinearSpan span, int slices) {
    LinearSpan tail = freeTail();
    return span.end() == (tail == null ? end : tail.first)
        && sizeInSlices() <= end
        && canGrow((long) span.first + slices);
  }

  /**
   * Lengthens a span at the end of the memory, which grows by what is missing, after {@link
   * #mayLengthenGrown}.
   *
   * @return false if the memory does not grow; nothing has changed then
   */
  boolean lengthenGrown(LinearSpan span, int slices) {
    prepareEnds(span.end(), slices - span.slices);
    if (!grow((long) span.first + slices)) {
      return false;
    }
    lengthenInto(freeTail(), span, slices);
    return true;
  }

  private void lengthenInto(LinearSpan after, LinearSpan span, int slices) {
    recycle(cut(after, span.end(), slices - span.slices));
    span.slices = slices;
    enter(span);
  }

  /** Shortens a span that is one block; what is cut off is free. */
  void shorten(LinearSpan span, int slices) {
    prepareEnds(span.first, slices);
    LinearSpan rest = spare().set(span.first + slices, span.slices - slices, Kind.LARGE);
    span.slices = slices;
    enter(span);
    enter(rest);
    give(rest);
  }

  /** Frees a span, coalescing it with free neighbours. */
  void give(LinearSpan span) {
    int first = span.first;
    int last = span.end();
    if (first > firstSlice && at(first - 1).kind == Kind.FREE) {
      LinearSpan before = at(first - 1);
      bins.remove(before);
      first = before.first;
      recycle(before);
    }
    if (last < end && at(last).kind == Kind.FREE) {
      LinearSpan after = at(last);
      bins.remove(after);
      last = after.end();
      recycle(after);
    }
    addFree(span.set(first, last - first, Kind.FREE));
  }

  /** Makes a span the place of a page. */
  void enterPage(LinearSpan span, LinearPage page) {
    span.kind = Kind.PAGE;
    span.page = page;
    for (int slice = span.first; slice < span.end(); slice++) {
      set(slice, span);
    }
  }

  /** Makes all that is needed to enter a page. */
  void preparePage(LinearSpan span) {
    for (int slice = span.first; slice < span.end(); slice += PAGE_SLICES) {
      prepare(slice);
    }
    prepare(span.end() - 1);
  }

  /** Returns the page that an offset lies in, or the large block that begins in its slice. */
  LinearSpan spanAt(long offset) {
    long slice = offset >>> LinearSpan.SLICE_SHIFT;
    if (slice < firstSlice || slice >= end) {
      return null;
    }
    LinearSpan span = at((int) slice);
    boolean inUse = span != null && (span.kind == Kind.PAGE || span.kind == Kind.LARGE);
    return inUse && slice >= span.first && slice < span.end() ? span : null;
  }

  /** Returns the span that an offset lies in, by a walk over all of them, or null. */
  LinearSpan spanAround(long offset) {
    long slice = offset >>> LinearSpan.SLICE_SHIFT;
    if (slice < firstSlice || slice >= end) {
      return null;
    }
    LinearSpan span = at(firstSlice);
    while (span.end() <= slice) {
      span = at(span.end());
    }
    return span;
  }

  /** Returns from where on nothing was ever given out, as an offset in bytes. */
  long reached() {
    return (long) reached << LinearSpan.SLICE_SHIFT;
  }

  // ---- growing

  private LinearSpan freeTail() {
    LinearSpan last = end > firstSlice ? at(end - 1) : null;
    return last != null && last.kind == Kind.FREE ? last : null;
  }

  /** Tells whether the memory may have so many slices. */
  private boolean canGrow(long slices) {
    return slices <= MOST_END && pages(slices) <= memory.maximumPages();
  }

  private static int pages(long slices) {
    return (int) (slices + PAGE_SLICES - 1 >>> PAGE_SLICES_SHIFT);
  }

  /** Grows the memory to some slices at least, and adds what it has grown by as free. */
  private boolean grow(long slices) {
    int pages = pages(slices);
    int old = sizeInSlices();
    int size = Math.min(pages << PAGE_SLICES_SHIFT, MOST_END);
    prepare(end);
    prepare(Math.max(old, end));
    prepare(Math.max(old - 1, end));
    prepare(size - 1);
    if (memory.grow(pages - memory.pages()) == LinearMemory.REFUSED) {
      return false;
    }
    if (old > end) {
      LinearSpan hole = spare().set(end, old - end, Kind.HOLE);
      enter(hole);
      end = old;
    }
    LinearSpan added = spare().set(end, size - end, Kind.LARGE);
    enter(added);
    end = size;
    give(added);
    return true;
  }

  // ---- cutting

  /** Makes all that is needed to grow and to cut a run. */
  private void prepareEnds(int first, int slices) {
    prepare(Math.max(first - 1, firstSlice));
    prepare(first);
    prepare(first + slices - 1);
    prepare(Math.min(first + slices, MOST_END));
    ensureSpares(4);
  }

  private LinearSpan cut(LinearSpan found, int first, int slices) {
    int from = found.first;
    int to = found.end();
    bins.remove(found);
    if (first > from) {
      addFree(spare().set(from, first - from, Kind.FREE));
    }
    if (to > first + slices) {
      addFree(spare().set(first + slices, to - first - slices, Kind.FREE));
    }
    found.set(first, slices, Kind.LARGE);
    enter(found);
    reached = Math.max(reached, first + slices);
    return found;
  }

  private void addFree(LinearSpan span) {
    enter(span);
    bins.add(span);
  }

  // ---- entries

  LinearSpan at(int slice) {
    LinearSpan[] page = entries[slice >>> PAGE_SLICES_SHIFT];
    return page == null ? null : page[slice & PAGE_SLICES - 1];
  }

  private void enter(LinearSpan span) {
    set(span.first, span);
    set(span.end() - 1, span);
  }

  private void set(int slice, LinearSpan span) {
    entries[slice >>> PAGE_SLICES_SHIFT][slice & PAGE_SLICES - 1] = span;
  }

  /** Makes the place of an entry. */
  private void prepare(int slice) {
    int page = slice >>> PAGE_SLICES_SHIFT;
    if (page >= entries.length) {
      entries =
          Arrays.copyOf(
              entries, Math.max(page + 1, Math.min(2 * entries.length, LinearMemory.MAX_PAGES)));
    }
    if (entries[page] == null) {
      entries[page] = new LinearSpan[PAGE_SLICES];
    }
  }

  // ---- spares

  private void ensureSpares(int count) {
    int there = 0;
    for (LinearSpan span = spares; span != null && there < count; span = span.next) {
      there++;
    }
    for (; there < count; there++) {
      recycle(new LinearSpan());
    }
  }

  private LinearSpan spare() {
    LinearSpan span = spares;
    spares = span.next;
    span.next = null;
    return span;
  }

  private void recycle(LinearSpan span) {
    span.set(0, 0, Kind.FREE);
    span.previous = null;
    span.next = spares;
    spares = span;
  }
}
