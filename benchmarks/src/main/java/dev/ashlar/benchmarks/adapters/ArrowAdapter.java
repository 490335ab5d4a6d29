// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Arrow's buffers, over its allocation manager that calls Unsafe.
 *
 * @param allocator a root allocator without a limit
 */
public record ArrowAdapter(BufferAllocator allocator) implements ObjectAdapter<ArrowBuf> {

  public static ArrowAdapter create() {
    return new ArrowAdapter(new RootAllocator(Long.MAX_VALUE));
  }

  @Override
  public ArrowBuf allocate(long size) {
    return allocator.buffer(size);
  }

  @Override
  public ArrowBuf allocateZeroed(long size) {
    // Arrow has no zeroed allocation; its users clear the buffer.
    ArrowBuf block = allocator.buffer(size);
    block.setZero(0, size);
    return block;
  }

  @Override
  public ArrowBuf reallocate(ArrowBuf block, long newSize) {
    throw new UnsupportedOperationException("Arrow's buffers do not change their size");
  }

  @Override
  public void free(ArrowBuf block) {
    block.close();
  }

  @Override
  public long getLong(ArrowBuf block, long offset) {
    return block.getLong(offset);
  }

  @Override
  public void putLong(ArrowBuf block, long offset, long value) {
    block.setLong(offset, value);
  }

  @Override
  public void putByte(ArrowBuf block, long offset, byte value) {
    block.setByte(offset, value);
  }
}
