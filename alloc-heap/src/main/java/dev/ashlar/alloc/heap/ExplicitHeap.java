// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static dev.ashlar.alloc.heap.ProcessSpace.MARKS;

import dev.ashlar.alloc.api.Heap;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.OwnedSpans;
import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.SpanAllocator;
import java.util.Map;

/**
 * A heap that a thread has asked for: its slow paths, and its end.
 *
 * <p>Its slot lies outside the heap table's, and its owner word has a serial number of its own, so
 * a face whose heap has ended finds itself in no slot, though another heap may have got it. Its
 * blocks do not mix with others': the page map tells its slices from all others, and frees of them
 * through the allocator go straight to the page's remote bitmap.
 *
 * <pre>
 *   OPEN  --delete-->   DELETED     pages moved to another heap, blocks live on
 *   OPEN  --destroy-->  DESTROYED   pages freed with their blocks
 * </pre>
 *
 * <p>Both changes are made under the lock of the {@link HeapTable}, by the owner or, once it is
 * dead, by any thread.
 */
final class ExplicitHeap extends SlowPaths {

  /** Numbers in the page map's table of owners. */
  private static final ByteNumbers NUMBERS = new ByteNumbers();

  private enum State {
    OPEN,
    DELETED,
    DESTROYED
  }

  private final HeapEngine engine;
  private final ThreadHeap heap;
  private final long slot;
  private final long ownerKey;
  private final byte number;
  private volatile State state = State.OPEN;

  private ExplicitHeap(HeapEngine engine, ThreadHeap heap, long ownerKey, byte number) {
    this.engine = engine;
    this.heap = heap;
    this.slot = heap.slot();
    this.ownerKey = ownerKey;
    this.number = number;
  }

  /**
   * Opens a heap for the calling thread.
   *
   * @throws IllegalStateException if the allocator is closed
   * @throws dev.ashlar.alloc.api.NativeMemoryExhaustedError if there is no memory for it
   */
  static ExplicitHeap open(HeapEngine engine) {
    byte number = NUMBERS.take();
    ExplicitHeap opened = null;
    try {
      long key = HeapTable.newOwnerKey();
      ThreadHeap heap = engine.table().newExplicit(Thread.currentThread(), key, number);
      opened = new ExplicitHeap(engine, heap, key, number);
      return opened;
    } finally {
      if (opened == null) {
        NUMBERS.give(number);
      }
    }
  }

  long slot() {
    return slot;
  }

  long ownerKey() {
    return ownerKey;
  }

  /**
   * Returns what the page map's table of owners has where the fast path may free. Heaps without a
   * number of their own get one that is nowhere in the table: their frees all take the slow path.
   */
  int fastNumber() {
    return number == ByteNumbers.SHARED ? RawFace.NO_NUMBER : Byte.toUnsignedInt(number);
  }

  @Override
  HeapTable table() {
    return engine.table();
  }

  @Override
  SpanAllocator spans() {
    return engine.spans();
  }

  @Override
  HeapCounts counts() {
    return engine.counts();
  }

  @Override
  String name() {
    return "a heap of " + engine.name();
  }

  @Override
  byte tag() {
    return engine.tag();
  }

  // ---- who may do what

  @Override
  boolean isClosed() {
    return state != State.OPEN || engine.isClosed();
  }

  @Override
  void checkOpen() {
    engine.checkOpen();
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "the heap is " + (state == State.DELETED ? "deleted" : "destroyed"));
    }
  }

  /**
   * Refuses any thread but the owner.
   *
   * @throws IllegalStateException if this heap or the allocator is closed
   * @throws WrongThreadException if the calling thread is not the owner
   */
  void checkOwner() {
    checkOpen();
    if (!heap.isOwnedBy(Thread.currentThread())) {
      throw foreign();
    }
  }

  private static WrongThreadException foreign() {
    return new WrongThreadException(
        "the heap is for the thread that made it, not for " + Thread.currentThread());
  }

  // ---- taking blocks

  @Override
  long takeElsewhere(int sizeClass) {
    checkOwner();
    return takeFrom(heap, sizeClass);
  }

  @Override
  ThreadHeap heapAt(long anySlot) {
    return heap;
  }

  @Override
  long takeLarge(long size, long alignment, boolean zero) {
    checkOwner();
    return super.takeLarge(size, alignment, zero);
  }

  @Override
  HeapPages largeOwner() {
    return heap.pages();
  }

  // ---- putting blocks back

  @Override
  void flush(long anySlot, int entry, long address) {
    int sizeClass = entry & ~SizeClasses.OWNED;
    if (SizeClasses.isPaged(sizeClass)) {
      giveTo(heap, sizeClass, address);
    } else if (!spans().giveLargeAt(address)) {
      throw noBlock(address);
    }
  }

  @Override
  void freeElsewhere(long address) {
    checkOwner();
    if (usableOrNone(address) < 0) {
      throw noBlock(address);
    }
    if (tag() != BlockTags.NONE) {
      RawMemory.putByte(MARKS + (address >>> 4), BlockTags.NONE);
    }
    flush(slot, HeapEngine.entryAt(address), address);
  }

  @Override
  void refuse(long address) {
    checkOpen();
    if (address != 0) {
      throw noBlock(address);
    }
  }

  // ---- asking about blocks

  @Override
  long usableOrNone(long address) {
    return heap.pages().owned().spanOfBlock(address) == null ? -1 : engine.usableOrNone(address);
  }

  @Override
  MemoryMisuseException noBlock(long address) {
    return engine.usableOrNone(address) < 0
        ? BlockCheck.misuse(spans(), address)
        : new MemoryMisuseException(
            MemoryMisuseException.Kind.MISMATCHED,
            address,
            "it is a live block of the allocator, but not of this heap");
  }

  /** Shows a visitor the live blocks. */
  void forEachBlock(Heap.BlockVisitor visitor) {
    checkOwner();
    collect(true); // what is out of its page then is with the user
    OwnedSpans owned = heap.pages().owned();
    Map<Long, Long> large = owned.largeBlocks();
    for (Page page : owned.pages()) {
      visitBlocks(page, visitor);
    }
    large.forEach(visitor::visit);
  }

  private static void visitBlocks(Page page, Heap.BlockVisitor visitor) {
    long[] out = new long[page.capacity()];
    int count = 0;
    for (int i = 0; i < page.capacity(); i++) {
      if (!page.isFree(i)) {
        out[count++] = page.addressOf(i);
      }
    }
    for (int i = 0; i < count; i++) {
      visitor.visit(out[i], SizeClasses.bytes(page.sizeClass()));
    }
  }

  // ---- giving memory up, and the end

  void collect(boolean force) {
    checkOwner();
    heap.begin();
    try {
      heap.collect(force);
    } finally {
      heap.end();
    }
  }

  /** Ends this heap; its blocks move to the calling thread's heap. */
  void delete() {
    if (mayEnd(State.DELETED)) {
      engine.withHeap(
          successor ->
              end(
                  State.DELETED,
                  () -> {
                    heap.collect(true);
                    successor.pages().absorb(heap.pages());
                  }));
    }
  }

  /** Ends this heap and frees its blocks. */
  void destroy() {
    if (mayEnd(State.DESTROYED)) {
      end(State.DESTROYED, () -> settle(heap.pages().freeAll()));
    }
  }

  private void settle(long[] freed) {
    for (int c = 1; c < freed.length; c++) {
      table().set().settle(c, freed[c]);
    }
  }

  /** As {@link #delete}, unless there is nothing to end. */
  void close() {
    if (!isClosed()) {
      delete();
    }
  }

  /** Tells whether there is something to end; throws if the calling thread may not. */
  private boolean mayEnd(State wanted) {
    if (state == wanted) {
      return false;
    }
    checkOpen();
    if (!heap.isOwnedBy(Thread.currentThread()) && !heap.isDead()) {
      throw foreign();
    }
    return true;
  }

  private void end(State how, Runnable last) {
    boolean ended = false;
    synchronized (table()) { // two threads may want to end a dead one's heap
      if (mayEnd(how)) {
        heap.begin();
        try {
          last.run();
          table().endExplicit(heap);
        } finally {
          heap.end();
        }
        state = how;
        ended = true;
      }
    }
    if (ended) {
      NUMBERS.give(number);
    }
  }
}
