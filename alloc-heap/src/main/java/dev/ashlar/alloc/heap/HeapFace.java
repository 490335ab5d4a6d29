// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.Heap;
import dev.ashlar.alloc.api.MemoryMisuseException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The blocks of an explicit heap as memory segments in the allocator's scope.
 *
 * <p>A record for the reason that {@link RawFace} gives.
 *
 * @param heap the heap
 * @param raw the malloc family, which does the work
 * @param space what blocks are cut from
 * @param scope the scope of all blocks
 */
record HeapFace(ExplicitHeap heap, RawFace raw, MemorySegment space, Arena scope) implements Heap {

  static HeapFace over(ExplicitHeap heap, MemorySegment space, Arena scope) {
    return new HeapFace(heap, RawFace.of(heap), space, scope);
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
      long address = SegmentFace.addressOf(block);
      return ProcessView.slice(
          space, raw.alignedRealloc(address, newByteSize, byteAlignment), newByteSize);
    } catch (MemoryMisuseException e) {
      throw SegmentFace.refined(e, block, scope);
    }
  }

  @Override
  public void free(MemorySegment block) {
    try {
      raw.free(SegmentFace.addressOf(block));
    } catch (MemoryMisuseException e) {
      throw SegmentFace.refined(e, block, scope);
    }
  }

  @Override
  public boolean contains(MemorySegment segment) {
    return segment.isNative() && raw.owns(segment.address());
  }

  @Override
  public void forEachBlock(BlockVisitor visitor) {
    heap.forEachBlock(visitor);
  }

  @Override
  public void collect(boolean force) {
    heap.collect(force);
  }

  @Override
  public void delete() {
    heap.delete();
  }

  @Override
  public void destroy() {
    heap.destroy();
  }

  @Override
  public void close() {
    heap.close();
  }

  @Override
  public String toString() {
    return "Heap[" + heap.name() + "]";
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
