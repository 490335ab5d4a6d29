// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A linear memory outside the Java heap: over address space of its own, reserved for the maximum
 * and committed page by page, or over a memory segment that the caller gives.
 *
 * <p>Its bytes are reached through {@link #segment()}. They never move: a segment taken before the
 * memory grew goes on showing the part that there was.
 *
 * <p>By choice it belongs to one thread, or any thread may use it and growing takes a lock. That
 * covers this object; the allocators over it have a lock of their own, see {@link
 * GuestAllocator#locked()}.
 */
public final class NativeLinearMemory implements LinearMemory, AutoCloseable {

  /** Who may use a memory. */
  public enum Threads {
    /**
     * The thread that makes it. Every use by another one, also through its segments if the address
     * space is its own, throws {@link WrongThreadException}.
     */
    ONE,
    /** Any thread; growing and closing take a lock. */
    ANY
  }

  /** What commits the pages; null over the caller's segment, which is there already. */
  private final VirtualMemory system;

  private final Thread owner;
  private final int maximumPages;

  /** Alive until this memory closes; over address space of its own, the scope of its segments. */
  private final Arena scope;

  /** Everything that there can be, of which only the first part may be accessed. */
  private final MemorySegment whole;

  private final Object lock = new Object();

  /** What may be accessed: the first {@link #pages()} of {@link #whole}. */
  private volatile MemorySegment segment;

  private volatile long zeroFrom;

  /** Whether there is an open arena over this memory; guarded by {@link #lock}. */
  private boolean hasArena;

  private NativeLinearMemory(
      VirtualMemory system,
      Arena scope,
      MemorySegment whole,
      int initialPages,
      int maximumPages,
      Threads threads) {
    this.system = system;
    this.owner = threads == Threads.ONE ? Thread.currentThread() : null;
    this.scope = scope;
    this.whole = whole;
    this.maximumPages = maximumPages;
    this.segment = whole.asSlice(0, bytes(initialPages));
    this.zeroFrom = system == null ? bytes(initialPages) : 0;
  }

  /**
   * Makes a memory over address space of its own, all zeros.
   *
   * @param initialPages its size at first in linear pages
   * @param maximumPages how large it can become in linear pages
   * @param threads who may use it
   * @return a memory that is to be closed
   * @throws IllegalArgumentException unless {@code 0 <= initialPages <= maximumPages <=} {@value
   *     LinearMemory#MAX_PAGES}
   * @throws NativeMemoryExhaustedError if the operating system refuses the address space or the
   *     initial pages
   */
  public static NativeLinearMemory reserve(int initialPages, int maximumPages, Threads threads) {
    return reserve(VirtualMemory.system(), initialPages, maximumPages, threads);
  }

  static NativeLinearMemory reserve(
      VirtualMemory system, int initialPages, int maximumPages, Threads threads) {
    checkPages(initialPages, maximumPages, MAX_PAGES);
    // An empty reservation is none to the operating system.
    long reserved = bytes(Math.max(maximumPages, 1));
    long base = 0;
    boolean done = false;
    try {
      base = system.reserve(reserved, PAGE_BYTES, Access.NONE);
      if (initialPages > 0) {
        system.commit(base, bytes(initialPages));
      }
      Arena scope = threads == Threads.ONE ? Arena.ofConfined() : Arena.ofShared();
      MemorySegment whole = RawMemory.wrap(base, reserved, scope);
      NativeLinearMemory memory =
          new NativeLinearMemory(system, scope, whole, initialPages, maximumPages, threads);
      done = true;
      return memory;
    } catch (VirtualMemoryException e) {
      throw new NativeMemoryExhaustedError(
          base == 0 ? reserved : bytes(initialPages), 0, Long.MAX_VALUE, "operating system", e);
    } finally {
      if (!done && base != 0) {
        system.release(base, reserved);
      }
    }
  }

  /**
   * Makes a memory over a range that the caller gives: it grows up to as many whole linear pages as
   * the range holds. The first pages keep what is in them; each later one is filled with zeros when
   * the memory grows over it.
   *
   * <p>Closing this memory ends this object; the range stays the caller's.
   *
   * @param range a writable segment that begins at a multiple of 16, of any scope
   * @param initialPages its size at first in linear pages
   * @param threads who may use it
   * @return a memory
   * @throws IllegalArgumentException if the range is read-only, begins elsewhere, or is shorter
   *     than the initial pages
   */
  public static NativeLinearMemory over(MemorySegment range, int initialPages, Threads threads) {
    if (range.isReadOnly()) {
      throw new IllegalArgumentException("the range is read-only");
    }
    if ((range.address() & GuestAllocator.MIN_ALIGNMENT - 1) != 0) {
      throw new IllegalArgumentException(
          "the range begins at 0x"
              + Long.toHexString(range.address())
              + ", which is no multiple of "
              + GuestAllocator.MIN_ALIGNMENT
              + " bytes");
    }
    int held = (int) Math.min(range.byteSize() >>> PAGE_SHIFT, MAX_PAGES);
    checkPages(initialPages, held, held);
    Arena scope = threads == Threads.ONE ? Arena.ofConfined() : Arena.ofShared();
    return new NativeLinearMemory(null, scope, range, initialPages, held, threads);
  }

  private static void checkPages(int initialPages, int maximumPages, int most) {
    if (maximumPages < 0 || maximumPages > most) {
      throw new IllegalArgumentException(
          "maximum " + maximumPages + " is not in 0 to " + most + " linear pages");
    }
    if (initialPages < 0 || initialPages > maximumPages) {
      throw new IllegalArgumentException(
          "initial size " + initialPages + " is not in 0 to " + maximumPages + " linear pages");
    }
  }

  private static long bytes(int pages) {
    return (long) pages << PAGE_SHIFT;
  }

  @Override
  public int pages() {
    return (int) (segment.byteSize() >>> PAGE_SHIFT);
  }

  @Override
  public int maximumPages() {
    return maximumPages;
  }

  @Override
  public int grow(int pages) {
    if (pages < 0) {
      throw new IllegalArgumentException(
          "growth " + pages + " is not in 0 to " + MAX_PAGES + " linear pages");
    }
    checkUsable();
    if (owner != null) {
      return growAlone(pages);
    }
    synchronized (lock) {
      checkUsable();
      return growAlone(pages);
    }
  }

  private int growAlone(int pages) {
    int before = pages();
    if (pages == 0) {
      return before;
    }
    if (pages > maximumPages - before) {
      return REFUSED;
    }
    MemorySegment larger = whole.asSlice(0, bytes(before + pages));
    if (system == null) {
      whole.asSlice(bytes(before), bytes(pages)).fill((byte) 0);
    } else {
      try {
        system.commit(whole.address() + bytes(before), bytes(pages));
      } catch (VirtualMemoryException e) {
        return REFUSED;
      }
    }
    segment = larger;
    return before;
  }

  private void checkUsable() {
    if (owner != null && owner != Thread.currentThread()) {
      throw new WrongThreadException("the linear memory belongs to " + owner);
    }
    if (!scope.scope().isAlive()) {
      throw new IllegalStateException("the linear memory is closed");
    }
  }

  @Override
  public long zeroFrom() {
    return zeroFrom;
  }

  @Override
  public void fill(long offset, long bytes, byte value) {
    checkUsable();
    segment.asSlice(offset, bytes).fill(value);
  }

  @Override
  public void copy(long from, long to, long bytes) {
    checkUsable();
    MemorySegment all = segment;
    MemorySegment.copy(all, from, all, to, bytes);
  }

  /**
   * Returns the bytes of this memory: offset 0 of the segment is offset 0 of the memory.
   *
   * @return a segment of the memory's size at this moment. Over address space of its own it dies
   *     when this memory closes; over the caller's range it lives as long as that
   * @throws IllegalStateException if this memory is closed
   * @throws WrongThreadException if this memory belongs to another thread
   */
  public MemorySegment segment() {
    checkUsable();
    return segment;
  }

  // ---- for an arena over this memory

  /**
   * Notes that there is an arena.
   *
   * @param scope the scope of the arena's segments
   * @return all that this memory can become, in that scope
   */
  MemorySegment openArena(Arena scope) {
    if (system == null) {
      throw new IllegalArgumentException(
          "a memory over a segment of the caller's, which cannot be given another scope");
    }
    synchronized (lock) {
      checkUsable();
      if (hasArena) {
        throw new IllegalStateException("the linear memory has an open arena");
      }
      MemorySegment all = in(scope);
      hasArena = true;
      return all;
    }
  }

  /** Returns all that this memory can become, in a scope that ends before the arena does. */
  MemorySegment in(Arena inner) {
    return RawMemory.wrap(whole.address(), whole.byteSize(), inner);
  }

  /**
   * Notes that the arena is gone.
   *
   * @param reached the end of what it has written to, as an offset in bytes
   */
  void closeArena(long reached) {
    synchronized (lock) {
      hasArena = false;
      zeroFrom = Math.max(zeroFrom, reached);
    }
  }

  /**
   * Closes this memory and gives address space of its own back. A second close does nothing.
   *
   * @throws IllegalStateException if there is an open arena over it, or a segment is in use by a
   *     native call or, of a memory for any thread, by another thread; nothing has changed then
   * @throws WrongThreadException if this memory belongs to another thread
   * @throws VirtualMemoryException if the operating system does not take the address space back;
   *     this memory is closed all the same
   */
  @Override
  public void close() {
    synchronized (lock) {
      if (!scope.scope().isAlive()) {
        return;
      }
      if (hasArena) {
        throw new IllegalStateException("the linear memory has an open arena");
      }
      scope.close();
      if (system != null) {
        system.release(whole.address(), whole.byteSize());
      }
    }
  }

  @Override
  public String toString() {
    return "NativeLinearMemory[" + pages() + " of " + maximumPages + " linear pages]";
  }
}
