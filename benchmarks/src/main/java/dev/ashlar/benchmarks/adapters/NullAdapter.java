// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * No allocator: one block for everybody, from calls that are not inlined. It measures the loops.
 *
 * <p>No record, as JMH does not read annotations in records.
 */
public final class NullAdapter implements AddressAdapter {

  private static final long BLOCK_BYTES = 4 << 20;

  private final long block = Arena.global().allocate(BLOCK_BYTES, 4096).address();

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long allocate(long size) {
    return block;
  }

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long allocateZeroed(long size) {
    return block;
  }

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long reallocate(long address, long newSize) {
    return address;
  }

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void free(long address) {}
}
