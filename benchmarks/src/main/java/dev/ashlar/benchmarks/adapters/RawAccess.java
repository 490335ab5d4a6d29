// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads and writes blocks by address, the same way for every allocator that gives addresses. */
@SuppressWarnings("restricted") // the blocks of native allocators are bare addresses
public final class RawAccess {

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private RawAccess() {}

  public static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  public static void putLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  public static void putByte(long address, byte value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, value);
  }
}
