// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads and writes blocks by address, the same way for every allocator, so that a comparison of
 * allocators compares nothing else.
 *
 * <p>An address that is not in a live block may end the JVM.
 */
@SuppressWarnings("restricted") // a view of all memory, because malloc's blocks are bare addresses
final class OffHeap {

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private OffHeap() {}

  static int getInt(long address) {
    return ALL.get(INT, address);
  }

  static void putInt(long address, int value) {
    ALL.set(INT, address, value);
  }

  /** Copies {@code bytes} bytes; the ranges may overlap. */
  static void copy(long from, long to, long bytes) {
    MemorySegment.copy(ALL, from, ALL, to, bytes);
  }

  static void putInts(int[] from, int index, long to, int count) {
    MemorySegment.copy(from, index, ALL, INT, to, count);
  }

  static void getInts(long from, int[] to, int count) {
    MemorySegment.copy(ALL, INT, from, to, 0, count);
  }

  static void putBytes(byte[] from, int index, long to, int count) {
    MemorySegment.copy(from, index, ALL, BYTE, to, count);
  }

  static void getBytes(long from, byte[] to, int count) {
    MemorySegment.copy(ALL, BYTE, from, to, 0, count);
  }

  /** Tells whether {@code count} bytes of an array and of memory are the same. */
  static boolean sameBytes(byte[] array, int index, long address, int count) {
    for (int i = 0; i < count; i++) {
      if (array[index + i] != ALL.get(BYTE, address + i)) {
        return false;
      }
    }
    return true;
  }
}
