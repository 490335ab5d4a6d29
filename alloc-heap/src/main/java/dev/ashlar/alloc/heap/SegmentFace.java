package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Blocks as memory segments in the allocator's scope.
 *
 * <p>A record for the reason that {@link RawFace} gives.
 *
 * @param raw the malloc family, which does the work
 * @param space what blocks are cut from
 * @param scope the scope of all blocks; one that cannot be closed makes an allocator that cannot be
 * @param arenas the open arenas
 */
record SegmentFace(RawFace raw, MemorySegment space, Arena scope, OpenArenas arenas)
    implements Allocator {

  static SegmentFace over(HeapEngine engine, Arena scope) {
    return new SegmentFace(
        RawFace.of(engine), ProcessView.in(scope), scope, new OpenArenas());
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
    long address = raw.alignedRealloc(addressOf(block), newByteSize, byteAlignment);
    return ProcessView.slice(space, address, newByteSize);
  }

  @Override
  public void free(MemorySegment block) {
    raw.free(addressOf(block));
  }

  @Override
  public long usableSize(MemorySegment block) {
    return raw.usableSize(addressOf(block));
  }

  @Override
  public boolean owns(MemorySegment segment) {
    return segment.isNative() && raw.owns(segment.address());
  }

  private static long addressOf(MemorySegment block) {
    long address = block.address();
    if (address == 0 || !block.isNative()) {
      throw new MemoryMisuseException(
          MemoryMisuseException.Kind.FOREIGN,
          address,
          block.isNative() ? "it is the null segment" : "the segment is in the Java heap");
    }
    return address;
  }

  @Override
  public Arena newConfinedArena() {
    arenas.open();
    return new ConfinedArena(raw, arenas);
  }

  @Override
  public Arena newSharedArena() {
    arenas.open();
    return new SharedArena(raw, arenas);
  }

  @Override
  public RawFace raw() {
    return raw;
  }

  @Override
  public AllocatorStats stats() {
    return raw.engine().stats();
  }

  @Override
  public void close() {
    if (!arenas.shut()) {
      return;
    }
    try {
      scope.close();
    } catch (IllegalStateException | UnsupportedOperationException e) {
      arenas.unshut();
      throw e;
    }
    raw.engine().close();
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
