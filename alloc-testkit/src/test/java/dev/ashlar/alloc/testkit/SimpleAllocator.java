// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.api.Heap;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.MemoryMisuseException.Kind;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The plainest allocator that keeps every promise: one lock, first fit, maps of what is live and
 * what is free. The contracts are tried on it, and on versions of it that are broken in one place
 * each: the protected methods are those places.
 */
class SimpleAllocator implements Allocator, RawAllocator {

  private static final long REGION_BYTES = 1L << 40;
  private static final long COMMIT_BYTES = 4L << 20;

  /** A live block. */
  record Block(long usable, boolean inArena) {}

  final VirtualMemory memory;
  final long base;
  final Arena scope = Arena.ofShared();
  final NavigableMap<Long, Block> live = new TreeMap<>();
  private final NavigableMap<Long, Long> free = new TreeMap<>();
  private long committedEnd;
  long liveBytes;
  long liveBlocks;
  int openArenas;
  private boolean closed;

  SimpleAllocator() {
    this(VirtualMemory.system());
  }

  SimpleAllocator(VirtualMemory memory) {
    this.memory = memory;
    this.base = memory.reserve(REGION_BYTES, MAX_ALIGNMENT, VirtualMemory.Access.NONE);
    this.committedEnd = base;
    // The first granule is never given out, so that no block begins where a segment of all would.
    free.put(base + MIN_ALIGNMENT, REGION_BYTES - MIN_ALIGNMENT);
  }

  // ---- where it may be broken

  /** Returns the first aligned address from one on. */
  protected long align(long address, long alignment) {
    return (address + alignment - 1) & -alignment;
  }

  /** Returns how much space a block of some usable size takes. */
  protected long extent(long usable) {
    return usable;
  }

  protected void zero(long address, long size) {
    RawMemory.fill(address, size, (byte) 0);
  }

  protected void copy(long from, long to, long bytes) {
    RawMemory.copy(from, to, bytes);
  }

  protected boolean isAlignment(long alignment) {
    return alignment > 0 && Long.bitCount(alignment) == 1;
  }

  protected void count(long usable, int blocks) {
    liveBytes += usable * blocks;
    liveBlocks += blocks;
  }

  /** Carries out the commit that a new block needs. */
  protected void commit(long address, long bytes) {
    memory.commit(address, bytes);
  }

  /** Says what is wrong with an address that is no live block. */
  protected MemoryMisuseException misuse(long address) {
    Map.Entry<Long, Block> before = live.floorEntry(address);
    Kind kind;
    if (before != null && before.getKey() == address) {
      kind = Kind.MISMATCHED;
    } else if (before != null && address < before.getKey() + before.getValue().usable()) {
      kind = Kind.INTERIOR;
    } else {
      kind = address > base && address < committedEnd ? Kind.DOUBLE_FREE : Kind.FOREIGN;
    }
    return new MemoryMisuseException(kind, address, "");
  }

  protected Arena arenaScope(boolean shared) {
    return shared ? Arena.ofShared() : Arena.ofConfined();
  }

  // ---- blocks

  synchronized long take(long size, long alignment, boolean zeroed, boolean inArena) {
    requireOpen();
    if (size < 0) {
      throw new IllegalArgumentException("size " + size + " is negative");
    }
    if (!isAlignment(alignment) || alignment > MAX_ALIGNMENT) {
      throw new IllegalArgumentException(
          "alignment " + alignment + " is not a power of two in 1 to " + MAX_ALIGNMENT);
    }
    long usable = goodSize(size);
    for (Map.Entry<Long, Long> range : free.entrySet()) {
      long end = range.getKey() + range.getValue();
      long address = align(range.getKey(), Math.max(alignment, MIN_ALIGNMENT));
      if (address < end && extent(usable) <= end - address) {
        commitTo(address + usable, size);
        free.remove(range.getKey());
        putFree(range.getKey(), address);
        putFree(address + extent(usable), end);
        live.put(address, new Block(usable, inArena));
        count(usable, 1);
        if (zeroed) {
          zero(address, size);
        }
        return address;
      }
    }
    throw exhausted(size, null);
  }

  private void commitTo(long end, long size) {
    long bytes = ((end + COMMIT_BYTES - 1) & -COMMIT_BYTES) - committedEnd;
    if (bytes > 0) {
      try {
        commit(committedEnd, bytes);
      } catch (VirtualMemoryException e) {
        throw exhausted(size, e);
      }
      committedEnd += bytes;
    }
  }

  private NativeMemoryExhaustedError exhausted(long size, VirtualMemoryException cause) {
    return new NativeMemoryExhaustedError(size, liveBytes, REGION_BYTES, "address space", cause);
  }

  private void putFree(long from, long to) {
    if (from < to) {
      free.put(from, to - from);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the allocator is closed");
    }
  }

  private Block blockAt(long address) {
    requireOpen();
    Block block = live.get(address);
    if (block == null || block.inArena()) {
      throw misuse(address);
    }
    return block;
  }

  synchronized void give(long address) {
    Block block = live.remove(address);
    count(block.usable(), -1);
    long from = address;
    long to = address + extent(block.usable());
    Map.Entry<Long, Long> before = free.floorEntry(from);
    if (before != null && before.getKey() + before.getValue() == from) {
      from = before.getKey();
    }
    Long after = free.remove(to);
    putFree(from, after == null ? to : to + after);
  }

  // ---- raw face

  @Override
  public long malloc(long size) {
    return take(size, 1, false, false);
  }

  @Override
  public long zalloc(long size) {
    return take(size, 1, true, false);
  }

  @Override
  public long calloc(long count, long size) {
    if (count < 0 || size < 0) {
      throw new IllegalArgumentException(count + " elements of " + size + " bytes");
    }
    if (Math.multiplyHigh(count, size) != 0 || count * size < 0) {
      throw exhausted(Long.MAX_VALUE, null);
    }
    return zalloc(count * size);
  }

  @Override
  public long alignedAlloc(long size, long alignment) {
    return take(size, alignment, false, false);
  }

  @Override
  public long alignedZalloc(long size, long alignment) {
    return take(size, alignment, true, false);
  }

  @Override
  public long realloc(long address, long newSize) {
    return alignedRealloc(address, newSize, 1);
  }

  @Override
  public synchronized long alignedRealloc(long address, long newSize, long alignment) {
    long kept = address == 0 ? 0 : Math.min(blockAt(address).usable(), newSize);
    long moved = take(newSize, alignment, false, false);
    if (address != 0) {
      copy(address, moved, kept);
      give(address);
    }
    return moved;
  }

  @Override
  public synchronized void free(long address) {
    if (address != 0) {
      blockAt(address);
      give(address);
    }
  }

  @Override
  public synchronized long usableSize(long address) {
    return blockAt(address).usable();
  }

  @Override
  public long goodSize(long size) {
    if (size < 0) {
      throw new IllegalArgumentException("size " + size + " is negative");
    }
    if (size > REGION_BYTES) {
      throw exhausted(size, null);
    }
    return Math.max(align(size, MIN_ALIGNMENT), MIN_ALIGNMENT);
  }

  @Override
  public synchronized boolean owns(long address) {
    Block block = live.get(address);
    return !closed && block != null && !block.inArena();
  }

  // ---- segment face

  private MemorySegment segment(long address, long size) {
    return RawMemory.wrap(address, size, scope);
  }

  private static long addressOf(MemorySegment block) {
    if (!block.isNative() || block.address() == 0) {
      throw new MemoryMisuseException(Kind.FOREIGN, block.address(), "");
    }
    return block.address();
  }

  @Override
  public MemorySegment allocate(long byteSize) {
    return allocate(byteSize, 1);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return segment(alignedAlloc(byteSize, byteAlignment), byteSize);
  }

  @Override
  public MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
    return segment(alignedZalloc(byteSize, byteAlignment), byteSize);
  }

  @Override
  public MemorySegment reallocate(MemorySegment block, long newByteSize, long byteAlignment) {
    long moved = alignedRealloc(addressOf(block), newByteSize, byteAlignment);
    return segment(moved, newByteSize);
  }

  @Override
  public void free(MemorySegment block) {
    free(addressOf(block));
  }

  @Override
  public long usableSize(MemorySegment block) {
    return usableSize(addressOf(block));
  }

  @Override
  public boolean owns(MemorySegment segment) {
    return segment.isNative() && owns(segment.address());
  }

  @Override
  public synchronized Arena newConfinedArena() {
    requireOpen();
    openArenas++;
    return new SimpleArena(this, arenaScope(false), Thread.currentThread());
  }

  @Override
  public Heap newHeap() {
    throw new UnsupportedOperationException("a simple allocator has no heaps");
  }

  @Override
  public void trim() {
    requireOpen();
  }

  @Override
  public long collect(boolean force) {
    requireOpen();
    return 0;
  }

  @Override
  public synchronized Arena newSharedArena() {
    requireOpen();
    openArenas++;
    return new SimpleArena(this, arenaScope(true), null);
  }

  @Override
  public RawAllocator raw() {
    return this;
  }

  @Override
  public synchronized AllocatorStats stats() {
    long committed = committedEnd - base;
    return new AllocatorStats(liveBytes, liveBlocks, 0, committed, committed, 1, 1, 0, 0, 0);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    if (openArenas > 0) {
      throw new IllegalStateException(openArenas + " arenas are open");
    }
    scope.close();
    closed = true;
    memory.release(base, REGION_BYTES);
  }
}
