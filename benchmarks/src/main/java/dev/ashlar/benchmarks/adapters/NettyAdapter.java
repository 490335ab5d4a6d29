// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Netty's direct buffers.
 *
 * @param allocator one of its allocators
 */
public record NettyAdapter(ByteBufAllocator allocator) implements ObjectAdapter<ByteBuf> {

  public static NettyAdapter pooled() {
    return new NettyAdapter(PooledByteBufAllocator.DEFAULT);
  }

  public static NettyAdapter adaptive() {
    return new NettyAdapter(new AdaptiveByteBufAllocator(true, true));
  }

  @Override
  public ByteBuf allocate(long size) {
    return allocator.directBuffer((int) size);
  }

  @Override
  public ByteBuf allocateZeroed(long size) {
    // Netty has no zeroed allocation; its users clear the buffer.
    return allocator.directBuffer((int) size).setZero(0, (int) size);
  }

  @Override
  public ByteBuf reallocate(ByteBuf block, long newSize) {
    return block.setIndex(0, block.capacity()).capacity((int) newSize);
  }

  @Override
  public void free(ByteBuf block) {
    block.release();
  }

  @Override
  public long getLong(ByteBuf block, long offset) {
    return block.getLong((int) offset);
  }

  @Override
  public void putLong(ByteBuf block, long offset, long value) {
    block.setLong((int) offset, value);
  }

  @Override
  public void putByte(ByteBuf block, long offset, byte value) {
    block.setByte((int) offset, value);
  }

  @Override
  public boolean trim() {
    return allocator instanceof PooledByteBufAllocator pooled && trimmed(pooled);
  }

  private static boolean trimmed(PooledByteBufAllocator pooled) {
    pooled.trimCurrentThreadCache();
    return true;
  }
}
