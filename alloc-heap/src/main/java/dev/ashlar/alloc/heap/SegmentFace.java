// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.api.Heap;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.ScopedArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Blocks as memory segments in the allocator's scope.
 *
 * <p>A record for the reason that {@link RawFace} gives.
 *
 * @param engine the allocator
 * @param raw the malloc family, which does the work
 * @param space what blocks are cut from
 * @param scope the scope of all blocks
 * @param closes whether this allocator can be closed
 * @param arenas the open arenas
 */
record SegmentFace(
    HeapEngine engine,
    RawFace raw,
    MemorySegment space,
    Arena scope,
    boolean closes,
    OpenArenas arenas)
    implements Allocator {

  static SegmentFace over(HeapEngine engine, Arena scope, boolean closes) {
    return new SegmentFace(
        engine, RawFace.of(engine), ProcessView.in(scope), scope, closes, new OpenArenas());
  }

  @Override
  public MemorySegment allocate(long byteSize) {
    return ProcessView.slice(space, raw.malloc(byteSize), byteSize);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return ProcessView.slice(space, raw.alignedAlloc(byteSize, byteAlignment), byteSize);
  }

  @Override
  public MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
    return ProcessView.slice(space, raw.alignedZalloc(byteSize, byteAlignment), byteSize);
  }

  @Override
  public MemorySegment reallocate(MemorySegment block, long newByteSize, long byteAlignment) {
    try {
      long address = raw.alignedRealloc(addressOf(block), newByteSize, byteAlignment);
      return ProcessView.slice(space, address, newByteSize);
    } catch (MemoryMisuseException e) {
      throw refined(e, block);
    }
  }

  @Override
  public void free(MemorySegment block) {
    try {
      raw.free(addressOf(block));
    } catch (MemoryMisuseException e) {
      throw refined(e, block);
    }
  }

  @Override
  public long usableSize(MemorySegment block) {
    try {
      return raw.usableSize(addressOf(block));
    } catch (MemoryMisuseException e) {
      throw refined(e, block);
    }
  }

  @Override
  public boolean owns(MemorySegment segment) {
    return segment.isNative() && raw.owns(segment.address());
  }

  static long addressOf(MemorySegment block) {
    long address = block.address();
    if (address == 0 || !block.isNative()) {
      throw new MemoryMisuseException(
          MemoryMisuseException.Kind.FOREIGN,
          address,
          block.isNative()
              ? "the segment begins at 0"
              : "the segment is in the Java heap and its address is an offset");
    }
    return address;
  }

  private MemoryMisuseException refined(MemoryMisuseException e, MemorySegment block) {
    return refined(e, block, scope);
  }

  /** Says of an arena's memory what it is, which its address alone does not tell. */
  static MemoryMisuseException refined(MemoryMisuseException e, MemorySegment block, Arena scope) {
    return e.kind() == MemoryMisuseException.Kind.INTERIOR && !block.scope().equals(scope.scope())
        ? new MemoryMisuseException(
            MemoryMisuseException.Kind.MISMATCHED,
            e.address(),
            "the segment is of another scope, as an arena's are, and is freed with it")
        : e;
  }

  @Override
  public Arena newConfinedArena() {
    return openArena(() -> new ConfinedArena(raw, arenas));
  }

  @Override
  public Arena newSharedArena() {
    return openArena(() -> new SharedArena(raw, arenas));
  }

  @Override
  public ScopedArena newScopedArena(boolean poisons) {
    return openArena(() -> new ChunkedScopedArena(raw, arenas, poisons));
  }

  private <A extends Arena> A openArena(Supplier<A> making) {
    if (!arenas.open()) {
      throw engine.table().closedException();
    }
    try {
      return making.get();
    } catch (OutOfMemoryError e) {
      arenas.close();
      throw e;
    }
  }

  @Override
  public Heap newHeap() {
    return HeapFace.over(ExplicitHeap.open(engine), space, scope);
  }

  @Override
  public void trim() {
    engine.trim();
  }

  @Override
  public long collect(boolean force) {
    return engine.collect(force);
  }

  @Override
  public RawFace raw() {
    return raw;
  }

  @Override
  public AllocatorStats stats() {
    return engine.counts().stats();
  }

  @Override
  public void close() {
    if (!closes) {
      throw new UnsupportedOperationException(
          "the allocator '" + engine.name() + "' is there for the whole process");
    }
    // The scope refuses to close while a segment is in use by a native call.
    if (arenas.shut(engine.name(), scope::close)) {
      engine.close();
    }
  }

  @Override
  public String toString() {
    return "Allocator[" + engine.name() + "]";
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
