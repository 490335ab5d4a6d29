// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

/**
 * An allocator whose blocks are objects, read and written through them as its users do.
 *
 * @param <B> the type of a block
 */
public non-sealed interface ObjectAdapter<B> extends AllocatorAdapter {

  B allocate(long size);

  B allocateZeroed(long size);

  B reallocate(B block, long newSize);

  void free(B block);

  long getLong(B block, long offset);

  void putLong(B block, long offset, long value);

  void putByte(B block, long offset, byte value);
}
