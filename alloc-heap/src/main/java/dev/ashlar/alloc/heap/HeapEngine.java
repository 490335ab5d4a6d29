// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static dev.ashlar.alloc.heap.ProcessSpace.BASE;
import static dev.ashlar.alloc.heap.ProcessSpace.MARKS;

import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.Segment;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.Span;
import dev.ashlar.alloc.segment.SpanAllocator;
import dev.ashlar.alloc.segment.SpanStats;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One allocator's slow paths, and what it owns: its spans, its heaps and its mark for live blocks.
 *
 * <p>{@link RawFace} has the fast paths and comes here when a magazine is empty or full, when the
 * calling thread's slot is not where the fast path looks, for blocks without a magazine, and with
 * addresses that it refuses.
 */
final class HeapEngine {

  private final byte tag;
  private final SpanAllocator spans;
  private final HeapTable table;
  private final HeapStripes stripes;

  /** Blocks of each class that were put back without a heap, as none could be had. */
  private final AtomicLongArray directFrees = new AtomicLongArray(SizeClasses.LAST_MEDIUM + 1);

  HeapEngine(AllocatorOptions options) {
    int count = stripeCount();
    this.spans =
        new SpanAllocator(
            options.memory(),
            ProcessSpace.MAP,
            options.checks(),
            options.segmentPool(),
            this::liveBytes);
    this.table = new HeapTable(options.name(), options.memory(), spans, options.slots(), count);
    this.stripes = new HeapStripes(table, count);
    this.tag = options.checks() ? BlockTags.take() : BlockTags.NONE;
  }

  /**
   * Returns how many shared heaps there may be: twice the processors, rounded up to a power of two.
   */
  static int stripeCount() {
    int processors = Runtime.getRuntime().availableProcessors();
    return Integer.highestOneBit(2 * processors - 1) << 1;
  }

  byte tag() {
    return tag;
  }

  String name() {
    return table.name();
  }

  HeapTable table() {
    return table;
  }

  HeapStripes stripes() {
    return stripes;
  }

  SpanAllocator spans() {
    return spans;
  }

  // ---- taking blocks; the caller marks them as live

  /** Refills the magazine of a slot and takes a block from it. */
  long refill(long slot, int sizeClass) {
    return takeAt(slot, sizeClass);
  }

  /** Takes a small or medium block for a thread whose slot is not where the fast path looks. */
  long takeElsewhere(int sizeClass) {
    Thread thread = Thread.currentThread();
    long slot = thread.isVirtual() ? 0 : table.enter(thread);
    if (slot != 0) {
      return takeAt(slot, sizeClass);
    }
    HeapStripes.Stripe stripe = stripes.hold(thread);
    try {
      return takeAt(stripe.slot(), sizeClass);
    } finally {
      stripe.letGo();
    }
  }

  private long takeAt(long slot, int sizeClass) {
    ThreadHeap heap = heapAt(slot);
    heap.begin();
    try {
      return heap.take(sizeClass);
    } catch (NativeMemoryExhaustedError e) {
      if (table.drainDead()) {
        return heap.take(sizeClass);
      }
      throw e;
    } finally {
      heap.end();
    }
  }

  /** Takes a block that is no small one, or refuses its size. */
  long takeBeyondSmall(long size) {
    checkSize(size);
    return size <= SizeClasses.MEDIUM_BYTES
        ? takeElsewhere(SizeClasses.of((int) size))
        : takeLarge(size, RawAllocator.MIN_ALIGNMENT, false);
  }

  /** Takes a block at an aligned address. */
  long takeAligned(long size, long alignment, boolean zero) {
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
      return spans.takeLarge(bytes, alignment);
    } catch (NativeMemoryExhaustedError e) {
      if (table.drainDead()) {
        return spans.takeLarge(bytes, alignment);
      }
      throw e;
    }
  }

  NativeMemoryExhaustedError exhausted(long size) {
    return new NativeMemoryExhaustedError(
        size, liveBytes(), ProcessSpace.MAP.space().bytes(), "block size", null);
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

  // ---- putting blocks back; the caller has checked them and removed their mark

  /** Puts a block back whose class has no room in the magazine of a slot, or no magazine at all. */
  void flush(long slot, int sizeClass, long address) {
    if (sizeClass > SizeClasses.LAST_MEDIUM || sizeClass == SizeClasses.NONE) {
      giveLarge(address);
      return;
    }
    ThreadHeap heap = heapAt(slot);
    heap.begin();
    try {
      heap.give(sizeClass, address);
    } finally {
      heap.end();
    }
  }

  /** Frees a block for a thread whose slot is not where the fast path looks. */
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
    int sizeClass = RawMemory.getByte(ProcessSpace.CLASSES + (address - BASE >>> 16));
    if (sizeClass > SizeClasses.LAST_MEDIUM || sizeClass == SizeClasses.NONE) {
      giveLarge(address);
    } else {
      giveElsewhere(sizeClass, address);
    }
  }

  private void giveElsewhere(int sizeClass, long address) {
    Thread thread = Thread.currentThread();
    HeapStripes.Stripe stripe = null;
    long slot;
    try {
      slot = thread.isVirtual() ? 0 : table.enter(thread);
      if (slot == 0) {
        stripe = stripes.hold(thread);
        slot = stripe.slot();
      }
    } catch (OutOfMemoryError e) {
      // Freeing must not fail for lack of memory: the block goes straight to its page.
      giveDirect(sizeClass, address);
      return;
    }
    try {
      flush(slot, sizeClass, address);
    } finally {
      if (stripe != null) {
        stripe.letGo();
      }
    }
  }

  private void giveDirect(int sizeClass, long address) {
    Span span = spans.map().spanAt(address);
    Page page = span == null || span.segment().owner() != spans ? null : span.page();
    if (page == null) {
      throw BlockCheck.misuse(spans, address);
    }
    int index = page.indexOf(address);
    if (index >= page.capacity()
        || page.addressOf(index) != address
        || RemoteFrees.give(page, index >>> 6, 1L << index) != 0) {
      throw BlockCheck.misuse(spans, address);
    }
    directFrees.incrementAndGet(sizeClass);
  }

  private void giveLarge(long address) {
    if (!spans.giveLargeAt(address)) {
      refuse(address);
    }
  }

  /** Ends a free of what is no live block: nothing for 0, else an exception. */
  void refuse(long address) {
    checkOpen();
    if (address != 0) {
      throw BlockCheck.misuse(spans, address);
    }
  }

  private ThreadHeap heapAt(long slot) {
    ThreadHeap heap = table.heapAt(slot);
    if (heap == null) { // the allocator has been closed since the slot was found
      throw table.closedException();
    }
    return heap;
  }

  // ---- asking about blocks

  /** Returns the usable size of a live block, or -1 if an address is none. */
  long usableOrNone(long address) {
    if (tag == BlockTags.NONE) {
      return usableUnmarked(address);
    }
    if (!spans.map().space().contains(address)
        || (address & RawAllocator.MIN_ALIGNMENT - 1) != 0
        || RawMemory.getByte(MARKS + (address >>> 4)) != tag) {
      return -1;
    }
    int sizeClass = RawMemory.getByte(ProcessSpace.CLASSES + (address - BASE >>> 16));
    return sizeClass <= SizeClasses.LAST_MEDIUM
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
      return index < page.capacity() && page.addressOf(index) == address && !page.isFree(index)
          ? SizeClasses.bytes(page.sizeClass())
          : -1;
    }
  }

  long usableSize(long address) {
    checkOpen();
    long bytes = usableOrNone(address);
    if (bytes < 0) {
      throw BlockCheck.misuse(spans, address);
    }
    return bytes;
  }

  /** Changes the size of a live block where it is; false if that cannot be done or does not pay. */
  boolean resizeInPlace(long address, long usable, long newSize) {
    long good = SizeClasses.goodBytes(newSize);
    if (good == usable) {
      return true;
    }
    if (usable > SizeClasses.MEDIUM_BYTES && good > SizeClasses.MEDIUM_BYTES) {
      return spans.resizeLargeAt(address, good);
    }
    return good < usable && good >= usable >>> 1;
  }

  // ---- counting

  private static long sum(ThreadHeap[] heaps, int sizeClass) {
    long out = 0;
    for (ThreadHeap heap : heaps) {
      out += heap.balance(sizeClass);
    }
    return out;
  }

  private static long cached(ThreadHeap[] heaps, int sizeClass) {
    long cached = 0;
    for (ThreadHeap heap : heaps) {
      cached += heap.cached(sizeClass);
    }
    return cached;
  }

  /** Returns how many blocks of a class are given out. */
  long live(ThreadHeap[] heaps, int sizeClass) {
    long out = sum(heaps, sizeClass) - directFrees.get(sizeClass);
    return Math.max(0, out - cached(heaps, sizeClass));
  }

  private long liveBytes() {
    ThreadHeap[] heaps = table.all();
    long bytes = spans.stats().largeBytes();
    for (int c = 1; c <= SizeClasses.LAST_MEDIUM; c++) {
      bytes += live(heaps, c) * SizeClasses.bytes(c);
    }
    return bytes;
  }

  AllocatorStats stats() {
    ThreadHeap[] heaps = table.all();
    SpanStats held = spans.stats();
    long bytes = held.largeBytes();
    long blocks = held.largeBlocks();
    long cachedBytes = 0;
    for (int c = 1; c <= SizeClasses.LAST_MEDIUM; c++) {
      long live = live(heaps, c);
      blocks += live;
      bytes += live * SizeClasses.bytes(c);
      cachedBytes += cached(heaps, c) * SizeClasses.bytes(c);
    }
    return new AllocatorStats(
        bytes,
        blocks,
        cachedBytes,
        held.committedBytes(),
        held.reservedBytes(),
        held.segments(),
        heaps.length,
        held.refusedPurges());
  }

  // ---- closing

  void checkOpen() {
    table.checkOpen();
  }

  boolean isClosed() {
    return table.isClosed();
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
