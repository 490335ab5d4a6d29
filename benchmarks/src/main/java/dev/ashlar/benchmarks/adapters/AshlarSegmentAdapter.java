// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.profiles.Ashlar;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Ashlar's memory segments.
 *
 * @param allocator the allocator
 */
public record AshlarSegmentAdapter(Allocator allocator) implements ObjectAdapter<MemorySegment> {

  public static AshlarSegmentAdapter create() {
    return new AshlarSegmentAdapter(Ashlar.shared());
  }

  @Override
  public MemorySegment allocate(long size) {
    return allocator.allocate(size);
  }

  @Override
  public MemorySegment allocateZeroed(long size) {
    return allocator.allocateZeroed(size);
  }

  @Override
  public MemorySegment reallocate(MemorySegment block, long newSize) {
    return allocator.reallocate(block, newSize);
  }

  @Override
  public void free(MemorySegment block) {
    allocator.free(block);
  }

  @Override
  public long getLong(MemorySegment block, long offset) {
    return block.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
  }

  @Override
  public void putLong(MemorySegment block, long offset, long value) {
    block.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
  }

  @Override
  public void putByte(MemorySegment block, long offset, byte value) {
    block.set(ValueLayout.JAVA_BYTE, offset, value);
  }

  @Override
  public boolean trim() {
    allocator.collect(true);
    return true;
  }
}
