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
public final class OffHeap {

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private OffHeap() {}

  static int getInt(long address) {
    return ALL.get(INT, address);
  }

  static void putInt(long address, int value) {
    ALL.set(INT, address, value);
  }

  /**
   * Reads a number.
   *
   * @param address where it is, at any alignment
   * @return the number
   */
  public static long getLong(long address) {
    return ALL.get(LONG, address);
  }

  /**
   * Writes a number.
   *
   * @param address where it goes, at any alignment
   * @param value the number
   */
  public static void putLong(long address, long value) {
    ALL.set(LONG, address, value);
  }

  /**
   * Reads a byte.
   *
   * @param address where it is
   * @return the byte
   */
  public static byte getByte(long address) {
    return ALL.get(BYTE, address);
  }

  /**
   * Writes a byte.
   *
   * @param address where it goes
   * @param value the byte
   */
  public static void putByte(long address, byte value) {
    ALL.set(BYTE, address, value);
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
