// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.PageList;
import dev.ashlar.alloc.segment.PageOwner;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.Span;
import dev.ashlar.alloc.segment.SpanAllocator;
import java.lang.ref.WeakReference;

/**
 * What one thread allocates from: its pages, and the depot behind its magazines. These are the slow
 * paths; the fast ones see only the magazines.
 *
 * <p>States, changed under the lock of the {@link HeapTable}:
 *
 * <pre>
 *   LIVE      bound to a slot, its owner alive       the owner works on it, nobody else
 *   DEAD      bound to a slot, its owner ended       whoever next needs a heap may adopt it
 *   ORPHAN    in no slot, magazines drained          likewise
 *   ADOPTED   = LIVE with another owner
 * </pre>
 *
 * <p>In every state other threads may put blocks back through {@link RemoteFrees}.
 */
final class ThreadHeap implements PageOwner {

  /** How many bytes of pages without a block out a heap keeps, to spare it taking them anew. */
  private static final long KEPT_PAGE_BYTES = 1 << 20;

  private final HeapTable table;
  private final SpanAllocator spans;
  private final RemoteFrees remoteFrees = new RemoteFrees();
  private final Depot depot = new Depot();
  private final PageList[] lists = new PageList[SizeClasses.LAST_MEDIUM + 1];
  private final long[] oldest = new long[64];

  /**
   * How many blocks of each class went out of pages through this heap, less those it put back. Over
   * all heaps the sum is what is out.
   */
  private final long[] balance = new long[SizeClasses.LAST_MEDIUM + 1];

  private long emptyPageBytes;

  /** The slot of the magazines; 0 for an orphan. */
  private long slot;

  private WeakReference<Thread> owner;

  /** The link of the heap table's list of orphans. */
  private ThreadHeap nextOrphan;

  private volatile boolean busy;

  ThreadHeap(HeapTable table, SpanAllocator spans) {
    this.table = table;
    this.spans = spans;
    for (int c = 1; c < lists.length; c++) {
      lists[c] = new PageList();
    }
  }

  // ---- binding, under the lock of the heap table

  /** Binds an orphan or new heap to a slot with initialised magazines. */
  void bind(long slot, WeakReference<Thread> owner) {
    this.slot = slot;
    setOwner(owner);
  }

  /** Sets the owner; null for a heap that is shared under a lock and never dies. */
  void setOwner(WeakReference<Thread> owner) {
    this.owner = owner;
  }

  ThreadHeap nextOrphan() {
    return nextOrphan;
  }

  void setNextOrphan(ThreadHeap heap) {
    nextOrphan = heap;
  }

  /**
   * Makes this an orphan: what is in the magazines goes back to the pages. For an adopter of a dead
   * heap.
   */
  void unbind() {
    drainMagazines();
    slot = 0;
  }

  /**
   * Announces that the owner is inside, which {@link HeapTable#close} waits for.
   *
   * @throws IllegalStateException if the allocator is closed
   */
  void begin() {
    // Written before "closed" is read, and the other way round in close: one of the two sees the
    // other.
    busy = true;
    if (table.isClosed()) {
      busy = false;
      throw table.closedException();
    }
  }

  void end() {
    busy = false;
  }

  boolean isBusy() {
    return busy;
  }

  /** Tells whether the owner has ended. */
  boolean isDead() {
    if (owner == null) {
      return false;
    }
    Thread thread = owner.get();
    return thread == null || !thread.isAlive();
  }

  long slot() {
    return slot;
  }

  RemoteFrees remoteFrees() {
    return remoteFrees;
  }

  // ---- taking and putting back, for the owner

  /**
   * Takes a block, refilling the magazine of its class if that is empty.
   *
   * @throws NativeMemoryExhaustedError if there is no memory for it
   */
  long take(int sizeClass) {
    try {
      if (sizeClass > SizeClasses.LAST_SMALL) {
        return takeMedium(sizeClass);
      }
      long address = Magazines.pop(slot, sizeClass);
      if (address != 0) {
        return address;
      }
      if (!depot.take(slot, sizeClass)) {
        fillFromPages(sizeClass);
      }
      return Magazines.pop(slot, sizeClass);
    } catch (NativeMemoryExhaustedError e) {
      // What was refused is a page or more; what was asked for is a block.
      throw new NativeMemoryExhaustedError(
          SizeClasses.bytes(sizeClass), e.live(), e.limit(), e.level(), e.getCause());
    }
  }

  /** Puts a block back, making room in the magazine of its class if that is full. */
  void give(int sizeClass, long address) {
    if (sizeClass > SizeClasses.LAST_SMALL) {
      oldest[0] = address;
      giveBack(sizeClass, oldest, 1);
    } else if (!Magazines.push(slot, sizeClass, address)) {
      try {
        makeRoom(sizeClass);
      } finally {
        Magazines.push(slot, sizeClass, address);
      }
    }
  }

  private void makeRoom(int sizeClass) {
    if (!putInDepot(sizeClass)) {
      int count = Magazines.transfer(sizeClass);
      Magazines.takeOldest(slot, sizeClass, oldest, count);
      giveBack(sizeClass, oldest, count);
    }
  }

  private void fillFromPages(int sizeClass) {
    long row = Magazines.row(slot, sizeClass);
    int want = Magazines.transfer(sizeClass);
    // From the end downwards, so that blocks are then taken by ascending address.
    long end = row + 8L * (want - 1);
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
    if (got < want) {
      RawMemory.copy(end - 8L * (got - 1), row, 8L * got);
    }
    balance[sizeClass] += got;
    Magazines.setCount(slot, sizeClass, got);
  }

  /**
   * Moves half a magazine to the depot; false if it has no room or the Java heap none to grow it.
   */
  private boolean putInDepot(int sizeClass) {
    try {
      return depot.put(slot, sizeClass);
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private long takeMedium(int sizeClass) {
    Page page = pageWithFree(sizeClass, false);
    noteFirstTake(page);
    long address = page.takeOne();
    if (page.freeCount() == 0) {
      lists[sizeClass].remove(page);
    }
    balance[sizeClass]++;
    return address;
  }

  // ---- pages

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
    if (remoteFrees.isEmpty()) {
      return;
    }
    Page page = remoteFrees.takeAll();
    while (page != null) {
      Page next = page.nextPending();
      page.setNextPending(null);
      if (page.drainRemote() > 0) {
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
    list.remove(page);
    spans.givePage(page);
    return false;
  }

  // ---- putting blocks back

  /**
   * Puts blocks of one class back into their pages, whoever owns them. Neighbours in a page of
   * another heap go over together, one atomic operation a word.
   *
   * @throws MemoryMisuseException if one is no block or was back already; the others are put back
   */
  private void giveBack(int sizeClass, long[] blocks, int count) {
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
      if (index < 0 || index >= page.capacity() || page.addressOf(index) != address) {
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
            && ((ThreadHeap) page.owner()).spans == spans
        ? page
        : null;
  }

  // ---- giving up what is cached

  /**
   * Puts everything in the magazines and the depot back into pages. For the owner or an adopter.
   */
  void drain() {
    drainMagazines();
    for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
      for (long[] half = depot.newest(c); half != null; half = depot.newest(c)) {
        depot.removeNewest(c);
        giveBackQuietly(c, half, half.length);
      }
    }
    drainRemoteFrees();
  }

  private void drainMagazines() {
    for (int c = 1; slot != 0 && c <= SizeClasses.LAST_SMALL; c++) {
      int count;
      while ((count = Math.min(Magazines.count(slot, c), oldest.length)) > 0) {
        Magazines.takeOldest(slot, c, oldest, count);
        giveBackQuietly(c, oldest, count);
      }
    }
  }

  /** Puts blocks back where the caller has nothing to do with one of them being misused. */
  private void giveBackQuietly(int sizeClass, long[] blocks, int count) {
    try {
      giveBack(sizeClass, blocks, count);
    } catch (MemoryMisuseException e) {
      // Without checks a block freed twice gets this far. It has been put back once, which is
      // right.
    }
  }

  // ---- counting

  long balance(int sizeClass) {
    return balance[sizeClass];
  }

  /** Returns how many blocks of a class are in the magazine and the depot. */
  int cached(int sizeClass) {
    if (sizeClass > SizeClasses.LAST_SMALL) {
      return 0;
    }
    long at = slot;
    return depot.blocks(sizeClass) + (at == 0 ? 0 : Magazines.count(at, sizeClass));
  }

  Depot depot() {
    return depot;
  }

  PageList list(int sizeClass) {
    return lists[sizeClass];
  }

  long emptyPageBytes() {
    return emptyPageBytes;
  }
}
