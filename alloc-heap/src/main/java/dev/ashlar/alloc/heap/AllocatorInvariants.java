// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.Invariants;
import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.Span;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Walks everything an allocator holds and compares it with itself. For tests: nobody else may be
 * inside the allocator.
 */
public final class AllocatorInvariants {

  private final HeapEngine engine;
  private final Set<Long> cached = new HashSet<>();

  private AllocatorInvariants(HeapEngine engine) {
    this.engine = engine;
  }

  /**
   * Checks an open allocator.
   *
   * @param allocator an allocator that {@link HeapAllocator} opened
   * @throws IllegalArgumentException if it is none
   * @throws IllegalStateException if it is closed
   * @throws AssertionError if something does not agree, saying what
   */
  public static void check(Allocator allocator) {
    if (!(allocator instanceof SegmentFace face)) {
      throw new IllegalArgumentException(allocator + " is no allocator of this library");
    }
    HeapEngine engine = face.engine();
    engine.checkOpen();
    // Passes that purge in the background are outside then.
    synchronized (engine.table()) {
      synchronized (engine.spans()) {
        new AllocatorInvariants(engine).run();
      }
    }
  }

  private void run() {
    List<Page> pages = Invariants.check(engine.spans());
    for (ThreadHeap heap : engine.table().set().all()) {
      for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
        walkCached(heap, c);
      }
      walkLists(heap.pages());
    }
    long[] live = new long[SizeClasses.LAST_MEDIUM + 1];
    for (Page page : pages) {
      live[page.sizeClass()] += walkBlocks(page);
    }
    for (int c = 1; c <= SizeClasses.LAST_MEDIUM; c++) {
      long counted = engine.counts().live(c);
      if (counted != live[c]) {
        throw new AssertionError(
            "class " + c + ": counters say " + counted + " live blocks, pages have " + live[c]);
      }
    }
  }

  private void walkCached(ThreadHeap heap, int sizeClass) {
    if (heap.slot() != 0) {
      long row = Magazines.row(heap.slot(), sizeClass);
      int count = Magazines.count(heap.slot(), sizeClass);
      for (int i = 0; i < count; i++) {
        noteCached(RawMemory.getLong(row + 8L * i), sizeClass);
      }
    }
    for (int i = 0; i < heap.depot().halves(sizeClass); i++) {
      for (long address : heap.depot().half(sizeClass, i)) {
        noteCached(address, sizeClass);
      }
    }
  }

  private void noteCached(long address, int sizeClass) {
    if (!cached.add(address)) {
      throw broken(address, "is cached twice");
    }
    Span span = engine.spans().map().spanAt(address);
    Page page = span == null ? null : span.page();
    if (page == null || page.sizeClass() != sizeClass) {
      throw broken(address, "is cached and no block of class " + sizeClass);
    }
    int index = page.indexOf(address);
    if (page.addressOf(index) != address || index >= page.capacity() || page.isFree(index)) {
      throw broken(address, "is cached and not out of its page");
    }
  }

  private static void walkLists(HeapPages heap) {
    long empty = 0;
    for (int c = 1; c <= SizeClasses.LAST_MEDIUM; c++) {
      for (Page p = heap.list(c).head(); p != null; p = heap.list(c).after(p)) {
        if (p.owner() != heap || p.sizeClass() != c || !p.listed() || p.freeCount() == 0) {
          throw broken(p.addressOf(0), "is the first block of a page in the wrong list");
        }
        if (p.freeCount() == p.capacity()) {
          empty += p.span().bytes();
        }
      }
    }
    if (empty != heap.emptyPageBytes()) {
      throw new AssertionError(
          "empty pages: counter says " + heap.emptyPageBytes() + " bytes, walk finds " + empty);
    }
  }

  /** Returns how many blocks of a page are live. */
  private int walkBlocks(Page page) {
    if (page.freeCount() > 0 && !page.listed()) {
      throw broken(page.addressOf(0), "is the first block of a page with free blocks in no list");
    }
    int live = 0;
    for (int i = 0; i < page.capacity(); i++) {
      long address = page.addressOf(i);
      boolean out = !page.isFree(i);
      boolean isLive = out && !cached.contains(address);
      live += isLive ? 1 : 0;
      if (engine.tag() != BlockTags.NONE) {
        byte mark = RawMemory.getByte(ProcessSpace.MARKS + (address >>> 4));
        if (mark != (isLive ? engine.tag() : BlockTags.NONE)) {
          throw broken(
              address, "has mark " + mark + (isLive ? " and is live" : " and is not live"));
        }
      }
    }
    return live;
  }

  private static AssertionError broken(long address, String what) {
    return new AssertionError("0x" + Long.toHexString(address) + " " + what);
  }
}
