// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static dev.ashlar.alloc.heap.ProcessSpace.BASE;
import static dev.ashlar.alloc.heap.ProcessSpace.MARKS;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.Segment;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.Span;
import dev.ashlar.alloc.segment.SpanAllocator;
import java.util.function.Consumer;

/**
 * One allocator: its spans, its heaps and its mark for live blocks, and the slow paths for threads
 * that come without a heap in hand.
 *
 * <p>{@link RawFace} has the fast paths and comes here when a magazine is empty or full, when the
 * calling thread's slot is not where the fast path looks, for blocks without a magazine and those
 * of explicit heaps, and with addresses that it refuses.
 */
final class HeapEngine extends SlowPaths {

  private final byte tag;
  private final SpanAllocator spans;
  private final HeapTable table;
  private final HeapStripes stripes;
  private final HeapCounts counts;

  HeapEngine(AllocatorOptions options) {
    int count = stripeCount();
    this.spans =
        new SpanAllocator(
            options.memory(),
            ProcessSpace.MAP,
            options.checks(),
            options.segmentPool(),
            options.purge(),
            this::liveBytes,
            this::drainDead);
    this.table = new HeapTable(options.name(), options.memory(), spans, options.slots(), count);
    this.stripes = new HeapStripes(table, count);
    this.counts = new HeapCounts(table, spans);
    this.tag = options.checks() ? BlockTags.take() : BlockTags.NONE;
  }

  private long liveBytes() {
    return counts.liveBytes();
  }

  /**
   * Returns how many shared heaps there may be: twice the processors, rounded up to a power of two.
   */
  static int stripeCount() {
    int processors = Runtime.getRuntime().availableProcessors();
    return Integer.highestOneBit(2 * processors - 1) << 1;
  }

  @Override
  HeapTable table() {
    return table;
  }

  @Override
  SpanAllocator spans() {
    return spans;
  }

  @Override
  HeapCounts counts() {
    return counts;
  }

  HeapStripes stripes() {
    return stripes;
  }

  @Override
  String name() {
    return table.name();
  }

  @Override
  byte tag() {
    return tag;
  }

  @Override
  void checkOpen() {
    table.checkOpen();
  }

  @Override
  boolean isClosed() {
    return table.isClosed();
  }

  // ---- taking blocks

  @Override
  long takeElsewhere(int sizeClass) {
    Thread thread = Thread.currentThread();
    long slot = thread.isVirtual() ? 0 : table.enter(thread);
    if (slot != 0) {
      return takeFrom(heapAt(slot), sizeClass);
    }
    HeapStripes.Stripe stripe = stripes.hold(thread);
    try {
      return takeInside(heapAt(stripe.slot()), sizeClass);
    } finally {
      stripe.letGo();
    }
  }

  @Override
  HeapPages largeOwner() {
    return null;
  }

  @Override
  ThreadHeap heapAt(long slot) {
    ThreadHeap heap = table.heapAt(slot);
    if (heap == null) { // the allocator has been closed since the slot was found
      throw table.closedException();
    }
    return heap;
  }

  /**
   * Runs a task with the calling thread's heap, or one that threads share.
   *
   * @throws dev.ashlar.alloc.api.NativeMemoryExhaustedError if there is no memory for a heap
   */
  void withHeap(Consumer<ThreadHeap> task) {
    Thread thread = Thread.currentThread();
    long slot = thread.isVirtual() ? 0 : table.enter(thread);
    if (slot != 0) {
      task.accept(heapAt(slot));
      return;
    }
    HeapStripes.Stripe stripe = stripes.hold(thread);
    try {
      task.accept(heapAt(stripe.slot()));
    } finally {
      stripe.letGo();
    }
  }

  // ---- putting blocks back

  @Override
  void flush(long slot, int entry, long address) {
    if (SizeClasses.isPaged(entry)) {
      giveTo(heapAt(slot), entry, address);
    } else {
      giveWithoutHeap(entry, address);
    }
  }

  @Override
  void freeElsewhere(long address) {
    checkOpen();
    if (tag != BlockTags.NONE) {
      long mark = MARKS + (address >>> 4);
      if (RawMemory.getByte(mark) != tag) {
        refuse(address);
        return;
      }
      RawMemory.putByte(mark, BlockTags.NONE);
    }
    int entry = entryAt(address);
    if (SizeClasses.isPaged(entry)) {
      giveElsewhere(entry, address);
    } else {
      giveWithoutHeap(entry, address);
    }
  }

  /** Returns the page map's entry for the slice of an address in the reservation. */
  static int entryAt(long address) {
    return Byte.toUnsignedInt(RawMemory.getByte(ProcessSpace.CLASSES + (address - BASE >>> 16)));
  }

  private void giveElsewhere(int sizeClass, long address) {
    Thread thread = Thread.currentThread();
    long slot;
    HeapStripes.Stripe stripe = null;
    try {
      slot = thread.isVirtual() ? 0 : table.enter(thread);
      if (slot == 0) {
        stripe = stripes.hold(thread);
      }
    } catch (OutOfMemoryError e) {
      // Freeing must not fail for lack of memory: the block goes straight to its page.
      giveToOwner(address);
      return;
    }
    if (stripe == null) {
      giveTo(heapAt(slot), sizeClass, address);
      return;
    }
    try {
      heapAt(stripe.slot()).give(sizeClass, address);
    } finally {
      stripe.letGo();
    }
  }

  /** Puts back a block of an explicit heap, or a large one. */
  private void giveWithoutHeap(int entry, long address) {
    if ((entry & SizeClasses.OWNED) != 0) {
      giveToOwner(address);
    } else if (!spans.giveLargeAt(address)) {
      refuse(address);
    }
  }

  /** Puts a block straight into its page, for the page's owner to find. */
  private void giveToOwner(long address) {
    Page page = pageOf(address);
    if (page == null) {
      throw BlockCheck.misuse(spans, address);
    }
    int index = page.indexOf(address);
    if (!page.startsAt(index, address) || RemoteFrees.give(page, index >>> 6, 1L << index) != 0) {
      throw BlockCheck.misuse(spans, address);
    }
    table.set().settle(page.sizeClass(), 1);
  }

  /** Returns the page of this allocator that an address lies in, or null. */
  private Page pageOf(long address) {
    Span span = spans.map().spanAt(address);
    return span == null || span.segment().owner() != spans ? null : span.page();
  }

  @Override
  void refuse(long address) {
    checkOpen();
    if (address != 0) {
      throw BlockCheck.misuse(spans, address);
    }
  }

  // ---- asking about blocks

  @Override
  long usableOrNone(long address) {
    if (tag == BlockTags.NONE) {
      return usableUnmarked(address);
    }
    if (!spans.map().space().contains(address)
        || (address & RawAllocator.MIN_ALIGNMENT - 1) != 0
        || RawMemory.getByte(MARKS + (address >>> 4)) != tag) {
      return -1;
    }
    int sizeClass = entryAt(address) & ~SizeClasses.OWNED;
    return SizeClasses.isPaged(sizeClass)
        ? SizeClasses.bytes(sizeClass)
        : spans.largeBytesAt(address);
  }

  /** The same without marks: a block that a magazine holds passes for a live one. */
  private long usableUnmarked(long address) {
    synchronized (spans) { // so that the span does not change while it is looked at
      Segment segment = spans.map().segmentAt(address);
      Span span = segment == null || segment.owner() != spans ? null : segment.spanAt(address);
      if (span == null) {
        return -1;
      }
      Page page = span.page();
      if (page == null) {
        return spans.largeBytesAt(address);
      }
      int index = page.indexOf(address);
      return page.startsAt(index, address) && !page.isFree(index)
          ? SizeClasses.bytes(page.sizeClass())
          : -1;
    }
  }

  @Override
  MemoryMisuseException noBlock(long address) {
    return BlockCheck.misuse(spans, address);
  }

  // ---- giving memory up

  /** Gives up what the calling thread's heap has ready. */
  void trim() {
    checkOpen();
    Thread thread = Thread.currentThread();
    long slot = thread.isVirtual() ? 0 : table.find(thread);
    if (slot != 0) {
      collect(heapAt(slot), true);
    }
  }

  /**
   * Collects the heaps within reach.
   *
   * @param force whether to give up what they have ready and all free memory
   * @return how many bytes went to the operating system
   */
  long collect(boolean force) {
    checkOpen();
    Thread thread = Thread.currentThread();
    for (ThreadHeap heap : table.set().all()) {
      if (heap.isOwnedBy(thread)) {
        collect(heap, force);
      }
    }
    stripes.forEach(slot -> collect(heapAt(slot), force));
    table.drainDead();
    return force ? spans.collect() : 0;
  }

  private static void collect(ThreadHeap heap, boolean force) {
    heap.begin();
    try {
      heap.collect(force);
    } finally {
      heap.end();
    }
  }

  // ---- closing

  /** Has the heaps of dead threads give back what they hold, in each pass over the free spans. */
  private void drainDead() {
    table.drainDead();
  }

  /** Gives all memory back. Threads that are inside leave first; those that come find it closed. */
  void close() {
    try {
      table.close();
      stripes.close();
    } finally {
      spans.close();
      table.release();
      if (tag != BlockTags.NONE) {
        BlockTags.give(tag);
      }
    }
  }
}
