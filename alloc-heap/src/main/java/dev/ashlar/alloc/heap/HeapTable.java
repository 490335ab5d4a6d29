package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import dev.ashlar.alloc.segment.AddressSpace;
import dev.ashlar.alloc.segment.SpanAllocator;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Finds a thread's heap: a table of slots, a thread's slot being its id masked.
 *
 * <p>The first word of a slot is the id of the thread it belongs to. Thread ids are never used again,
 * so a thread that reads its own id there knows the slot to be its own, with one load and one compare
 * and without touching a Java object. Threads whose ids collide probe a few more slots; those that find
 * none, and virtual threads, share the {@link HeapStripes}, whose slots follow here.
 *
 * <p>Slots are claimed, adopted and cleared under the table's lock; a thread that only looks up its own
 * takes no lock. A dead thread's heap is adopted whole by the next thread that claims one: in place if
 * the slot suits, otherwise its magazines are drained first and the heap moves.
 */
final class HeapTable {

  /** Slots are committed in chunks of this many bytes, so that they make few mappings. */
  static final long CHUNK_BYTES = 2L << 20;

  private static final int CHUNK_SHIFT = Long.numberOfTrailingZeros(CHUNK_BYTES);
  private static final int PROBES = 8;

  private final VirtualMemory memory;
  private final SpanAllocator spans;
  private final int slots;
  private final long base;
  private final long bytes;
  private final BitSet committed = new BitSet();

  /** The heap of each slot; null where there is none. */
  private final ThreadHeap[] heaps;

  /** Every heap there is: replaced, never written to. */
  private volatile ThreadHeap[] all = new ThreadHeap[0];

  private final ArrayDeque<ThreadHeap> orphans = new ArrayDeque<>();
  private volatile boolean closed;

  /**
   * Makes a table.
   *
   * @param slots how many slots for threads, a power of two
   * @param stripes how many slots follow for shared heaps
   * @throws NativeMemoryExhaustedError if there are too many allocators in this process
   */
  HeapTable(VirtualMemory memory, SpanAllocator spans, int slots, int stripes) {
    this.memory = memory;
    this.spans = spans;
    this.slots = slots;
    this.heaps = new ThreadHeap[slots + stripes];
    long wanted = (long) (slots + stripes) << Magazines.SLOT_SHIFT;
    long chunks = (wanted - 1 >>> CHUNK_SHIFT) + 1;
    this.bytes = chunks << CHUNK_SHIFT;
    this.base = ProcessSpace.SLOTS.take(chunks, CHUNK_BYTES);
    if (base == AddressSpace.NO_RUN) {
      throw new NativeMemoryExhaustedError(
          wanted, 0, ProcessSpace.SLOTS.bytes(), "address space", null);
    }
  }

  /** Returns where slot 0 is, from {@link ProcessSpace#SLOT_BASE}. */
  long offset() {
    return base - ProcessSpace.SLOT_BASE;
  }

  int slots() {
    return slots;
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
    // The first must agree with the fast path; the others are spread, as ids in a row collide in a row.
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
    long id = thread.threadId();
    boolean mayClaim = false;
    for (int i = 0; i < PROBES; i++) {
      long slot = addressOf(probe(id, i));
      long owner = RawMemory.getLong(slot);
      if (owner == id) {
        return slot;
      }
      mayClaim |= owner == 0;
    }
    return mayClaim || closed || anyDead(id) ? claim(thread) : 0;
  }

  /** Tells whether a slot that a thread could have belongs to a dead one. A glance without the lock. */
  private boolean anyDead(long id) {
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
    int free = -1;
    for (int i = 0; i < PROBES; i++) {
      int slot = probe(id, i);
      ThreadHeap there = heaps[slot];
      if (there != null && there.isDead()) {
        return rebind(there, thread);
      }
      if (there == null && free < 0) {
        free = slot;
      }
    }
    if (free < 0) {
      return 0;
    }
    commit(free);
    ThreadHeap heap = adoptable();
    if (heap == null) {
      heap = newHeap();
    }
    bind(heap, free, thread, id);
    return addressOf(free);
  }

  /** Adopts a dead thread's heap where it is. */
  private long rebind(ThreadHeap heap, Thread thread) {
    heap.setOwner(thread);
    RawMemory.putLongVolatile(heap.slot(), thread.threadId());
    return heap.slot();
  }

  private void bind(ThreadHeap heap, int slot, Thread owner, long word) {
    long address = addressOf(slot);
    Magazines.initialise(address);
    heap.bind(address, owner);
    heaps[slot] = heap;
    RawMemory.putLongVolatile(address, word);
  }

  /** Returns a heap whose owner is dead, out of its slot; null if there is none. */
  private ThreadHeap adoptable() {
    for (int slot = 0; slot < slots && orphans.isEmpty(); slot++) {
      if (heaps[slot] != null && heaps[slot].isDead()) {
        orphan(slot);
      }
    }
    return orphans.poll();
  }

  /** Drains a dead thread's magazines, so that its heap can do without the slot. */
  private void orphan(int slot) {
    ThreadHeap heap = heaps[slot];
    long address = heap.slot();
    RawMemory.putLongVolatile(address, 0);
    heap.unbind();
    heaps[slot] = null;
    orphans.add(heap);
    if (memory.capabilities().decommitKeepsAccess()) {
      try {
        memory.decommit(address, 1L << Magazines.SLOT_SHIFT);
      } catch (VirtualMemoryException e) {
        spans.countRefusedPurge();
      }
    }
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

  private void commit(int slot) {
    long address = addressOf(slot);
    int chunk = (int) (address - base >>> CHUNK_SHIFT);
    if (!committed.get(chunk)) {
      try {
        memory.commit(base + ((long) chunk << CHUNK_SHIFT), CHUNK_BYTES);
      } catch (VirtualMemoryException e) {
        throw new NativeMemoryExhaustedError(
            CHUNK_BYTES, spans.liveBytes(), Long.MAX_VALUE, "operating system", e);
      }
      committed.set(chunk);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the allocator is closed");
    }
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Puts what dead threads left in magazines and depots back into pages, and frees pages that are
   * empty then.
   */
  synchronized void drainDead() {
    for (int slot = 0; slot < slots; slot++) {
      if (heaps[slot] != null && heaps[slot].isDead()) {
        orphan(slot);
      }
    }
    for (ThreadHeap heap : orphans) {
      heap.drain();
    }
  }

  /**
   * Takes every slot from its thread, so that the next call of each comes here and finds it closed, and
   * waits until nobody is inside.
   */
  synchronized void close() {
    closed = true;
    for (int slot = 0; slot < heaps.length; slot++) {
      if (heaps[slot] != null) {
        RawMemory.putLongVolatile(addressOf(slot), 0);
      }
    }
    stopEachThreadOnce();
    for (ThreadHeap heap : heaps) {
      while (heap != null && heap.isBusy()) {
        Thread.onSpinWait();
      }
    }
  }

  /**
   * Returns when each thread has been at a safepoint. Fast paths announce nothing, but compiled code has
   * no safepoint between finding its slot and being done with it.
   */
  private static void stopEachThreadOnce() {
    try (Arena arena = Arena.ofShared()) {
      arena.allocate(1); // the close of a shared arena waits for all threads
    }
  }

  /** Gives the slots back, when nobody can be inside any more. */
  synchronized void release() {
    for (int chunk = committed.nextSetBit(0); chunk >= 0; chunk = committed.nextSetBit(chunk + 1)) {
      long address = base + ((long) chunk << CHUNK_SHIFT);
      try {
        memory.decommit(address, CHUNK_BYTES);
      } catch (VirtualMemoryException e) {
        spans.countRefusedPurge();
        RawMemory.fill(address, CHUNK_BYTES, (byte) 0);
      }
    }
    Arrays.fill(heaps, null);
    orphans.clear();
    all = new ThreadHeap[0];
    ProcessSpace.SLOTS.give(base, bytes >>> CHUNK_SHIFT);
  }

  /** Returns all heaps, bound or not, without taking the lock. The array is not to be written to. */
  ThreadHeap[] all() {
    return all;
  }

  private ThreadHeap newHeap() {
    ThreadHeap heap = new ThreadHeap(this, spans);
    ThreadHeap[] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = heap;
    all = more;
    return heap;
  }
}
