// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.segment.AddressSpace;
import dev.ashlar.alloc.segment.OwnedSpans;
import dev.ashlar.alloc.segment.SpanAllocator;
import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds a thread's heap: a table of slots, a thread's slot being its id masked.
 *
 * <p>The first word of a slot is the id of the thread it belongs to, under the serial number of the
 * table. Neither is used again, so a thread that reads what it expects there knows the slot to be
 * its own, with one load and one compare and without touching a Java object; and a face whose
 * allocator has closed finds it in no slot, though another allocator may have got the slots.
 * Threads whose ids collide probe a few more slots; those that find none, and virtual threads,
 * share the {@link HeapStripes}, whose slots follow here. {@link ExplicitSlots} lie elsewhere.
 *
 * <p>Slots are claimed, adopted and cleared under the table's lock; a thread that only looks up its
 * own takes no lock. A dead thread's heap is adopted whole by the next thread that claims one: in
 * place if it stands in the first slot that the thread can have, otherwise it moves with its
 * magazines. Heaps of dead threads that nobody adopts are drained before memory is said to be
 * exhausted.
 */
final class HeapTable {

  /** Slots are committed in chunks of this many bytes, so that they make few mappings. */
  static final long CHUNK_BYTES = 2L << 20;

  private static final int CHUNK_SHIFT = Long.numberOfTrailingZeros(CHUNK_BYTES);
  private static final int PROBES = 8;

  /** How long closing waits at a time for a thread to leave, in nanoseconds. */
  private static final long MOMENT = 20_000;

  /**
   * Thread ids stay below this; the serial number of the table is above it in a slot's owner word.
   */
  private static final int SERIAL_SHIFT = 40;

  private static final AtomicLong SERIALS = new AtomicLong();

  /** Returns what is added to a thread's id to give an owner word that no slot has had. */
  static long newOwnerKey() {
    return (SERIALS.incrementAndGet() & 0x7f_ffff) << SERIAL_SHIFT;
  }

  private final SpanAllocator spans;
  private final SlotMemory memory;
  private final int slots;
  private final long base;
  private final long bytes;
  private final BitSet committed = new BitSet();

  /** The heap of each slot; null where there is none. */
  private final ThreadHeap[] heaps;

  private final HeapSet set = new HeapSet();
  private final ExplicitSlots explicitSlots;

  /** Heaps without a slot, linked by {@link ThreadHeap#nextOrphan}. */
  private ThreadHeap orphans;

  private final AtomicLong adoptions = new AtomicLong();

  private final String name;
  private final long ownerKey;
  private volatile boolean closed;

  /**
   * Makes a table.
   *
   * @param name what the allocator is called in messages
   * @param slots how many slots for threads, a power of two
   * @param stripes how many slots follow for shared heaps
   * @throws NativeMemoryExhaustedError if there are too many allocators in this process
   */
  HeapTable(String name, VirtualMemory memory, SpanAllocator spans, int slots, int stripes) {
    this.name = name;
    this.ownerKey = newOwnerKey();
    this.spans = spans;
    this.memory = new SlotMemory(memory, spans);
    this.slots = slots;
    this.heaps = new ThreadHeap[slots + stripes];
    this.explicitSlots = new ExplicitSlots(this.memory);
    long wanted = (long) (slots + stripes) << Magazines.SLOT_SHIFT;
    long chunks = (wanted - 1 >>> CHUNK_SHIFT) + 1;
    this.bytes = chunks << CHUNK_SHIFT;
    this.base = ProcessSpace.SLOTS.take(chunks, CHUNK_BYTES);
    if (base == AddressSpace.NO_RUN) {
      throw this.memory.noAddressSpace(wanted);
    }
  }

  /** Returns where slot 0 is, from {@link ProcessSpace#SLOT_BASE}. */
  long offset() {
    return base - ProcessSpace.SLOT_BASE;
  }

  int slots() {
    return slots;
  }

  /** Returns all heaps. */
  HeapSet set() {
    return set;
  }

  /** Returns what is added to a thread's id to give the owner word of its slot. */
  long ownerKey() {
    return ownerKey;
  }

  String name() {
    return name;
  }

  private long addressOf(int slot) {
    return base + ((long) slot << Magazines.SLOT_SHIFT);
  }

  /** Returns the heap bound to the slot at an address. */
  ThreadHeap heapAt(long slot) {
    return heaps[(int) (slot - base >>> Magazines.SLOT_SHIFT)];
  }

  /** Returns the slot of a thread that is number {@code probe} in the order of trying. */
  private int probe(long threadId, int probe) {
    // The first must agree with the fast path; the others are spread, as ids in a row collide in a
    // row.
    return (int) (probe == 0 ? threadId : (threadId * 0x9E3779B97F4A7C15L >>> 40) + probe)
        & slots - 1;
  }

  /**
   * Returns the slot of the calling platform thread, claiming one if it has none.
   *
   * @return the address of the slot, or 0 if all that it could have are other living threads'
   * @throws IllegalStateException if the allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for a slot
   */
  long enter(Thread thread) {
    long slot = find(thread);
    return slot != 0 || !closed && !anyClaimable(thread.threadId()) ? slot : claim(thread);
  }

  /** Returns the slot of the calling platform thread, or 0 if it has none. */
  long find(Thread thread) {
    long id = thread.threadId();
    for (int i = 0; i < PROBES; i++) {
      long slot = addressOf(probe(id, i));
      if (RawMemory.getLong(Magazines.ownerAddress(slot)) == (id | ownerKey)) {
        return slot;
      }
    }
    return 0;
  }

  /**
   * Tells whether a slot that a thread could have is nobody's or a dead thread's. A glance without
   * the lock.
   */
  private boolean anyClaimable(long id) {
    for (int i = 0; i < PROBES; i++) {
      ThreadHeap heap = heaps[probe(id, i)];
      if (heap == null || heap.isDead()) {
        return true;
      }
    }
    return false;
  }

  private synchronized long claim(Thread thread) {
    checkOpen();
    long id = thread.threadId();
    for (int i = 0; i < PROBES; i++) {
      int slot = probe(id, i);
      ThreadHeap there = heaps[slot];
      if (there == null || there.isDead()) {
        // All that can fail comes before the heap changes hands.
        WeakReference<Thread> owner = new WeakReference<>(thread);
        if (there != null) {
          there.setOwner(owner);
          adoptions.incrementAndGet();
          RawMemory.putLongVolatile(Magazines.ownerAddress(there.slot()), id | ownerKey);
        } else {
          commit(slot);
          ThreadHeap heap = adoptable();
          if (heap == null) {
            heap = newHeap();
          } else {
            adoptions.incrementAndGet();
          }
          bind(heap, slot, owner, id | ownerKey);
        }
        return addressOf(slot);
      }
    }
    return 0;
  }

  private void bind(ThreadHeap heap, int slot, WeakReference<Thread> owner, long word) {
    long address = addressOf(slot);
    long before = heap.slot();
    if (before == 0) {
      Magazines.initialise(address);
    } else {
      RawMemory.putLongVolatile(Magazines.ownerAddress(before), 0);
      Magazines.move(before, address);
    }
    heap.bind(address, owner);
    heaps[slot] = heap;
    RawMemory.putLongVolatile(Magazines.ownerAddress(address), word);
    if (before != 0) {
      vacate(before);
    }
  }

  /** Returns an orphan or a heap in a slot whose owner is dead; null if there is neither. */
  private ThreadHeap adoptable() {
    ThreadHeap heap = orphans;
    if (heap != null) {
      orphans = heap.nextOrphan();
      heap.setNextOrphan(null);
      return heap;
    }
    for (int slot = 0; slot < slots; slot++) {
      if (heaps[slot] != null && heaps[slot].isDead()) {
        return heaps[slot];
      }
    }
    return null;
  }

  /** Drains a dead thread's magazines, so that its heap can do without the slot. */
  private void orphan(int slot) {
    ThreadHeap heap = heaps[slot];
    long address = heap.slot();
    RawMemory.putLongVolatile(Magazines.ownerAddress(address), 0);
    heap.unbind();
    heap.setNextOrphan(orphans);
    orphans = heap;
    vacate(address);
  }

  /** Gives the memory of a slot back that no heap is bound to any more. */
  private void vacate(long address) {
    heaps[(int) (address - base >>> Magazines.SLOT_SHIFT)] = null;
    memory.vacate(address);
  }

  /**
   * Makes the shared heap of a stripe.
   *
   * @param stripe its number
   * @return the address of its slot
   * @throws IllegalStateException if the allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for it
   */
  synchronized long newStripe(int stripe) {
    checkOpen();
    int slot = slots + stripe;
    commit(slot);
    ThreadHeap heap = newHeap();
    // No thread has a negative id, so nobody takes the slot for its own.
    bind(heap, slot, null, -1L - stripe);
    return addressOf(slot);
  }

  /**
   * Makes an explicit heap for a thread.
   *
   * @param key what is added to the thread's id to give the owner word
   * @param number what the page map has as the owner of its slices
   * @throws IllegalStateException if the allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for it
   */
  synchronized ThreadHeap newExplicit(Thread thread, long key, byte number) {
    checkOpen();
    WeakReference<Thread> owner = new WeakReference<>(thread);
    HeapPages pages = new HeapPages(spans, new OwnedSpans(spans, number));
    ThreadHeap heap = new ThreadHeap(this, pages);
    long slot = explicitSlots.take();
    set.add(heap);
    heap.bind(slot, owner);
    RawMemory.putLongVolatile(Magazines.ownerAddress(slot), thread.threadId() | key);
    return heap;
  }

  /** Forgets an explicit heap that has no pages any more, and drops what its magazines hold. */
  synchronized void endExplicit(ThreadHeap heap) {
    long slot = heap.slot();
    RawMemory.putLongVolatile(Magazines.ownerAddress(slot), 0);
    set.remove(heap);
    heap.bind(0, null);
    explicitSlots.give(slot);
  }

  private void commit(int slot) {
    long address = addressOf(slot);
    int chunk = (int) (address - base >>> CHUNK_SHIFT);
    if (!committed.get(chunk)) {
      memory.commit(base + ((long) chunk << CHUNK_SHIFT));
      committed.set(chunk);
    }
  }

  /**
   * Refuses to go on after close.
   *
   * @throws IllegalStateException if the allocator is closed
   */
  void checkOpen() {
    if (closed) {
      throw closedException();
    }
  }

  IllegalStateException closedException() {
    return new IllegalStateException("the allocator '" + name + "' is closed");
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Puts what dead threads left in magazines and depots, and what others have put back for them,
   * into pages, gives pages back that are empty then, and forgets heaps without a page.
   *
   * @return false if there was no dead thread's heap
   */
  synchronized boolean drainDead() {
    if (closed) { // its pages are about to be gone, or are
      return false;
    }
    for (int slot = 0; slot < slots; slot++) {
      if (heaps[slot] != null && heaps[slot].isDead()) {
        orphan(slot);
      }
    }
    boolean any = orphans != null;
    for (ThreadHeap heap : set.all()) {
      if (heap.isExplicit() && heap.isDead()) { // stays: somebody may still end it
        heap.drain();
        any = true;
      }
    }
    ThreadHeap first = orphans;
    orphans = null;
    for (ThreadHeap heap = first; heap != null; ) {
      ThreadHeap next = heap.nextOrphan();
      heap.drain();
      if (heap.pages().hasNone()) {
        set.remove(heap);
      } else {
        heap.setNextOrphan(orphans);
        orphans = heap;
      }
      heap = next;
    }
    return any;
  }

  /** Returns how many times a thread has taken over a dead one's heap. */
  long adoptions() {
    return adoptions.get();
  }

  /**
   * Takes every slot from its thread, so that the next call of each comes here and finds it closed,
   * and waits until nobody is inside.
   */
  void close() {
    shut();
    stopEachThreadOnce();
    // Not under the lock: who is inside may be waiting for it.
    for (ThreadHeap heap : set.all()) {
      while (heap.isBusy()) {
        LockSupport.parkNanos(MOMENT); // not a spin: it may need this thread's processor
      }
    }
  }

  private synchronized void shut() {
    closed = true;
    for (ThreadHeap heap : set.all()) {
      if (heap.slot() != 0) {
        RawMemory.putLongVolatile(Magazines.ownerAddress(heap.slot()), 0);
      }
    }
  }

  /**
   * Returns when each thread has been at a safepoint. Fast paths announce nothing, but where the
   * compiler has inlined them they have no safepoint between finding their slot and being done with
   * it. Interpreted code has; a thread that is stopped right there while its allocator closes
   * finishes with a slot that is nobody's, or another allocator's if one opened within that moment.
   */
  private static void stopEachThreadOnce() {
    try (Arena arena = Arena.ofShared()) {
      arena.allocate(1); // the close of a shared arena waits for all threads
    }
  }

  /** Gives the slots back, when nobody can be inside any more. */
  synchronized void release() {
    for (int chunk = committed.nextSetBit(0); chunk >= 0; chunk = committed.nextSetBit(chunk + 1)) {
      memory.decommit(base + ((long) chunk << CHUNK_SHIFT));
    }
    explicitSlots.release();
    Arrays.fill(heaps, null);
    orphans = null;
    set.clear();
    ProcessSpace.SLOTS.give(base, bytes >>> CHUNK_SHIFT);
  }

  private ThreadHeap newHeap() {
    ThreadHeap heap = new ThreadHeap(this, new HeapPages(spans, null));
    set.add(heap);
    return heap;
  }
}
