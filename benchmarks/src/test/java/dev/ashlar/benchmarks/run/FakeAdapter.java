// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.adapters.ObjectAdapter;
import java.util.Arrays;

/** An allocator on the Java heap, honest unless a subclass cheats. */
class FakeAdapter implements ObjectAdapter<long[]> {

  @Override
  public long[] allocate(long size) {
    return new long[(int) (size + 7) / 8];
  }

  @Override
  public long[] allocateZeroed(long size) {
    return allocate(size);
  }

  @Override
  public long[] reallocate(long[] block, long newSize) {
    return Arrays.copyOf(block, (int) (newSize + 7) / 8);
  }

  @Override
  public void free(long[] block) {
    Arrays.fill(block, -1);
  }

  @Override
  public long getLong(long[] block, long offset) {
    return block[(int) offset / 8];
  }

  @Override
  public void putLong(long[] block, long offset, long value) {
    block[(int) offset / 8] = value;
  }

  @Override
  public void putByte(long[] block, long offset, byte value) {
    int shift = (int) (offset % 8) * 8;
    int index = (int) offset / 8;
    block[index] = (block[index] & ~(0xFFL << shift)) | ((value & 0xFFL) << shift);
  }
}
