// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.segment.OwnedSpans;
import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.PageList;
import dev.ashlar.alloc.segment.PageOwner;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.Span;
import dev.ashlar.alloc.segment.SpanAllocator;

/**
 * The pages of one heap: where its blocks come from, and where all blocks go back to.
 *
 * <p>For the heap's owner only, but for {@link #remoteFrees()}, through which every other thread
 * puts back what it has of these pages.
 */
final class HeapPages implements PageOwner {

  /** How many bytes of pages without a block out a heap keeps, to spare it taking them anew. */
  static final long KEPT_PAGE_BYTES = 1 << 20;

  private final SpanAllocator spans;
  private final OwnedSpans owned;
  private final RemoteFrees remoteFrees = new RemoteFrees();

  /** The pages of each class that have free blocks. */
  private final PageList[] lists = new PageList[SizeClasses.LAST_MEDIUM + 1];

  /**
   * How many blocks of each class went out of pages through this heap, less those it put back. Over
   * all heaps the sum is what is out.
   */
  private final long[] balance = new long[SizeClasses.LAST_MEDIUM + 1];

  private int pages;
  private long emptyPageBytes;
  private long remoteBlocks;

  /**
   * Makes a heap without pages.
   *
   * @param owned the list of its spans if they do not mix with others, or null
   */
  HeapPages(SpanAllocator spans, OwnedSpans owned) {
    this.spans = spans;
    this.owned = owned;
    for (int c = 1; c < lists.length; c++) {
      lists[c] = new PageList();
    }
  }

  // ---- taking blocks

  /**
   * Takes free blocks and writes their addresses to native memory, as {@link Page#take} does; where
   * there is no memory for another page, as many as there are.
   *
   * @return how many blocks were taken, at least one
   * @throws dev.ashlar.alloc.api.NativeMemoryExhaustedError if there is none and no memory for a
   *     page
   */
  int take(int sizeClass, long end, int want) {
    int got = 0;
    while (got < want) {
      Page page = pageWithFree(sizeClass, got > 0);
      if (page == null) {
        break;
      }
      noteFirstTake(page);
      got += page.take(end - 8L * got, want - got);
      if (page.freeCount() == 0) {
        lists[sizeClass].remove(page);
      }
    }
    balance[sizeClass] += got;
    return got;
  }

  /**
   * Takes one block.
   *
   * @throws dev.ashlar.alloc.api.NativeMemoryExhaustedError if there is none and no memory for a
   *     page
   */
  long takeOne(int sizeClass) {
    Page page = pageWithFree(sizeClass, false);
    noteFirstTake(page);
    long address = page.takeOne();
    if (page.freeCount() == 0) {
      lists[sizeClass].remove(page);
    }
    balance[sizeClass]++;
    return address;
  }

  /**
   * Returns a page with a free block, taking a new one if need be.
   *
   * @param optional whether to return null rather than to take a new page and fail
   */
  private Page pageWithFree(int sizeClass, boolean optional) {
    PageList list = lists[sizeClass];
    if (list.head() == null) {
      drainRemoteFrees();
    }
    Page page = list.head();
    if (page == null) {
      try {
        page = spans.takePage(this, sizeClass);
      } catch (OutOfMemoryError e) { // native memory or the Java heap
        if (optional) {
          return null;
        }
        throw e;
      }
      pages++;
      emptyPageBytes += page.span().bytes();
      list.add(page);
    }
    return page;
  }

  private void noteFirstTake(Page page) {
    if (page.freeCount() == page.capacity()) {
      emptyPageBytes -= page.span().bytes();
    }
  }

  /** Takes over what other threads have put back into this heap's pages. */
  void drainRemoteFrees() {
    if (!remoteFrees.isEmpty()) {
      drain(remoteFrees.takeAll());
    }
  }

  private void drain(Page first) {
    Page page = first;
    while (page != null) {
      Page next = page.nextPending();
      page.setNextPending(null);
      int moved = page.drainRemote();
      if (moved > 0) {
        remoteBlocks += moved;
        noteGiven(page);
      }
      page = next;
    }
  }

  /**
   * Puts a page that got blocks back where it belongs now.
   *
   * @return false if that was back to the span allocator: the page may not be used any more
   */
  private boolean noteGiven(Page page) {
    PageList list = lists[page.sizeClass()];
    if (!page.listed()) {
      list.add(page);
    }
    if (page.freeCount() < page.capacity()) {
      return true;
    }
    long bytes = page.span().bytes();
    if (list.isOnly(page) && emptyPageBytes + bytes <= KEPT_PAGE_BYTES) {
      emptyPageBytes += bytes;
      return true;
    }
    giveUp(page);
    return false;
  }

  private void giveUp(Page page) {
    lists[page.sizeClass()].remove(page);
    pages--;
    spans.givePage(page);
  }

  /** Gives up the pages that are kept though no block of them is out. */
  void giveUpEmpty() {
    for (int c = 1; c < lists.length && emptyPageBytes > 0; c++) {
      Page page = lists[c].head();
      while (page != null) {
        Page next = lists[c].after(page);
        if (page.freeCount() == page.capacity()) {
          emptyPageBytes -= page.span().bytes();
          giveUp(page);
        }
        page = next;
      }
    }
  }

  // ---- putting blocks back

  /**
   * Puts blocks of one class back into their pages, whoever owns them. Neighbours in a page of
   * another heap go over together, one atomic operation a word.
   *
   * @throws MemoryMisuseException if one is no block or was back already; the others are put back
   */
  void giveBack(int sizeClass, long[] blocks, int count) {
    Page page = null;
    int word = 0;
    long bits = 0; // of blocks in that word of a page of another heap
    long misused = 0;
    for (int i = 0; i < count; i++) {
      long address = blocks[i];
      if (page == null || !page.spans(address)) {
        misused = firstOf(misused, giveRemote(page, word, bits));
        bits = 0;
        page = pageAt(address, sizeClass);
      }
      int index = page == null ? -1 : page.indexOf(address);
      if (page == null || !page.startsAt(index, address)) {
        misused = firstOf(misused, address);
      } else if (page.owner() != this) {
        if (word != index >>> 6) {
          misused = firstOf(misused, giveRemote(page, word, bits));
          bits = 0;
          word = index >>> 6;
        }
        bits |= 1L << index;
      } else if (page.give(index)) {
        balance[sizeClass]--;
        if (!noteGiven(page)) {
          page = null;
        }
      } else {
        misused = firstOf(misused, address);
      }
    }
    misused = firstOf(misused, giveRemote(page, word, bits));
    if (misused != 0) {
      throw BlockCheck.misuse(spans, misused);
    }
  }

  /** Returns the first address that is not 0. */
  private static long firstOf(long one, long other) {
    return one != 0 ? one : other;
  }

  /** Returns 0, or the address of a block that was back already. */
  private long giveRemote(Page page, int word, long bits) {
    if (bits == 0) {
      return 0;
    }
    long twice = RemoteFrees.give(page, word, bits);
    balance[page.sizeClass()] -= Long.bitCount(bits & ~twice);
    return twice == 0 ? 0 : page.addressOf((word << 6) + Long.numberOfTrailingZeros(twice));
  }

  /** Returns the page of this allocator that an address lies in, or null. */
  private Page pageAt(long address, int sizeClass) {
    Span span = spans.map().spanAt(address);
    Page page = span == null ? null : span.page();
    return page != null
            && page.sizeClass() == sizeClass
            && ((HeapPages) page.owner()).spans == spans
        ? page
        : null;
  }

  /** Puts blocks back where the caller has nothing to do with one of them being misused. */
  void giveBackQuietly(int sizeClass, long[] blocks, int count) {
    try {
      giveBack(sizeClass, blocks, count);
    } catch (MemoryMisuseException e) {
      // Without checks a block freed twice gets this far. It has been put back once, which is
      // right.
    }
  }

  // ---- the end of an explicit heap

  /** Takes over everything from an explicit heap that ends; its blocks live on. */
  void absorb(HeapPages other) {
    other.owned.moveTo(this);
    for (int c = 1; c < lists.length; c++) {
      for (Page page = other.lists[c].head(); page != null; page = other.lists[c].head()) {
        other.lists[c].remove(page);
        lists[c].add(page);
      }
      balance[c] += other.balance[c];
      other.balance[c] = 0;
    }
    pages += other.pages;
    emptyPageBytes += other.emptyPageBytes;
    remoteBlocks += other.remoteBlocks;
    drain(other.remoteFrees.seal());
  }

  /**
   * Frees all blocks of an explicit heap that ends.
   *
   * @return how many blocks of each class were out of their pages
   */
  long[] freeAll() {
    long[] out = owned.freeAll();
    remoteFrees.seal();
    return out;
  }

  // ---- what others see

  @Override
  public OwnedSpans owned() {
    return owned;
  }

  RemoteFrees remoteFrees() {
    return remoteFrees;
  }

  long balance(int sizeClass) {
    return balance[sizeClass];
  }

  /** Returns how many blocks other threads have put back that have been drained here. */
  long remoteBlocks() {
    return remoteBlocks;
  }

  /** Tells whether no page is this heap's. */
  boolean hasNone() {
    return pages == 0;
  }

  PageList list(int sizeClass) {
    return lists[sizeClass];
  }

  long emptyPageBytes() {
    return emptyPageBytes;
  }
}
