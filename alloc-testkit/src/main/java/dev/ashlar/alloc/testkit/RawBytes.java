// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.RawMemory;

/**
 * Reads and writes blocks by address, for tests of modules that may not call restricted methods.
 *
 * <p>An address that is not mapped ends the JVM. Safe for use by many threads at once, as far as
 * they touch different bytes.
 */
public final class RawBytes {

  private RawBytes() {}

  /**
   * Reads a byte.
   *
   * @param address its address
   * @return the byte
   */
  public static byte get(long address) {
    return RawMemory.getByte(address);
  }

  /**
   * Writes a byte.
   *
   * @param address its address
   * @param value the byte
   */
  public static void put(long address, byte value) {
    RawMemory.putByte(address, value);
  }

  /**
   * Reads a long in native byte order.
   *
   * @param address its address, of any alignment
   * @return the long
   */
  public static long getLong(long address) {
    return RawMemory.getLong(address);
  }

  /**
   * Writes a long in native byte order.
   *
   * @param address its address, of any alignment
   * @param value the long
   */
  public static void putLong(long address, long value) {
    RawMemory.putLong(address, value);
  }

  /**
   * Sets bytes to one value.
   *
   * @param address the beginning of the range
   * @param bytes its size
   * @param value the value
   */
  public static void fill(long address, long bytes, byte value) {
    RawMemory.fill(address, bytes, value);
  }

  /**
   * Looks for a byte that differs from a value.
   *
   * @param address the beginning of the range
   * @param bytes its size
   * @param value the value that every byte should have
   * @return the offset of the first byte with another value, -1 if there is none
   */
  public static long firstOtherThan(long address, long bytes, byte value) {
    long word = 0x0101010101010101L * (value & 0xFF);
    long offset = 0;
    while (offset + Long.BYTES <= bytes && RawMemory.getLong(address + offset) == word) {
      offset += Long.BYTES;
    }
    while (offset < bytes) {
      if (RawMemory.getByte(address + offset) != value) {
        return offset;
      }
      offset++;
    }
    return -1;
  }
}
