// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.SizeClasses;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
 *   ENDED     an explicit heap that was deleted or destroyed; nobody has it any more
 * </pre>
 *
 * <p>In every state other threads may put blocks back through {@link RemoteFrees}.
 */
final class ThreadHeap {

  private static final VarHandle BUSY;

  static {
    try {
      BUSY = MethodHandles.lookup().findVarHandle(ThreadHeap.class, "busy", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final HeapTable table;
  private final HeapPages pages;
  private final Depot depot = new Depot();
  private final long[] oldest = new long[64];

  /** The slot of the magazines; 0 for an orphan. */
  private long slot;

  private WeakReference<Thread> owner;

  /** The link of the heap table's list of orphans. */
  private ThreadHeap nextOrphan;

  /** Whether the owner is inside; of a heap that is shared under a lock, the lock says it. */
  private volatile boolean busy;

  ThreadHeap(HeapTable table, HeapPages pages) {
    this.table = table;
    this.pages = pages;
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
    // Closing waits until it sees this, whenever that is: no fence.
    BUSY.setRelease(this, false);
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

  /** Tells whether a thread is the owner. */
  boolean isOwnedBy(Thread thread) {
    return owner != null && owner.refersTo(thread);
  }

  boolean isExplicit() {
    return pages.owned() != null;
  }

  long slot() {
    return slot;
  }

  HeapPages pages() {
    return pages;
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
        return pages.takeOne(sizeClass);
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
      pages.giveBack(sizeClass, oldest, 1);
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
      pages.giveBack(sizeClass, oldest, count);
    }
  }

  private void fillFromPages(int sizeClass) {
    long row = Magazines.row(slot, sizeClass);
    int want = Magazines.transfer(sizeClass);
    // From the end downwards, so that blocks are then taken by ascending address.
    long end = row + 8L * (want - 1);
    int got = pages.take(sizeClass, end, want);
    if (got < want) {
      RawMemory.copy(end - 8L * (got - 1), row, 8L * got);
    }
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

  // ---- giving up what is cached

  /**
   * Takes in what other threads have put back and gives up the pages that are empty then.
   *
   * @param force whether to empty magazines and depot first
   */
  void collect(boolean force) {
    if (force) {
      drain();
    } else {
      pages.drainRemoteFrees();
      pages.giveUpEmpty();
    }
  }

  /**
   * Puts everything in the magazines and the depot back into pages, takes in what other threads
   * have put back, and gives up the pages that are empty then. For the owner, or where it is dead.
   */
  void drain() {
    drainMagazines();
    for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
      for (long[] half = depot.newest(c); half != null; half = depot.newest(c)) {
        depot.removeNewest(c);
        pages.giveBackQuietly(c, half, half.length);
      }
    }
    pages.drainRemoteFrees();
    pages.giveUpEmpty();
  }

  private void drainMagazines() {
    for (int c = 1; slot != 0 && c <= SizeClasses.LAST_SMALL; c++) {
      int count;
      while ((count = Math.min(Magazines.count(slot, c), oldest.length)) > 0) {
        Magazines.takeOldest(slot, c, oldest, count);
        pages.giveBackQuietly(c, oldest, count);
      }
    }
  }

  // ---- counting

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
}
