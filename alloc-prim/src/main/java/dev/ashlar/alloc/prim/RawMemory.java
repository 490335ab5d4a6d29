// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Access to memory by absolute address.
 *
 * <p>Everything goes through one segment that spans all memory and is a constant to the compiler.
 * Its bounds check then disappears wherever the compiler can prove that the address is not
 * negative, as it can for a constant plus an unsigned shift. The layouts are unaligned ones, which
 * need no alignment check; the allocators' addresses are aligned all the same.
 *
 * <p>An address that is not mapped ends the JVM: callers vouch for every address.
 */
@SuppressWarnings("restricted") // this class is where the family's restricted calls are
public final class RawMemory {

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private static final VarHandle ALIGNED_LONG = ValueLayout.JAVA_LONG.varHandle();

  private RawMemory() {}

  /**
   * Reads a byte.
   *
   * @param address the address
   * @return the byte
   */
  public static byte getByte(long address) {
    return ALL.get(BYTE, address);
  }

  /**
   * Writes a byte.
   *
   * @param address the address
   * @param value the byte
   */
  public static void putByte(long address, byte value) {
    ALL.set(BYTE, address, value);
  }

  /**
   * Reads a long in native byte order.
   *
   * @param address the address
   * @return the long
   */
  public static long getLong(long address) {
    return ALL.get(LONG, address);
  }

  /**
   * Writes a long in native byte order.
   *
   * @param address the address
   * @param value the long
   */
  public static void putLong(long address, long value) {
    ALL.set(LONG, address, value);
  }

  /**
   * Reads a long with volatile semantics.
   *
   * @param address the address, a multiple of 8
   * @return the long
   */
  public static long getLongVolatile(long address) {
    return (long) ALIGNED_LONG.getVolatile(ALL, address);
  }

  /**
   * Writes a long with volatile semantics.
   *
   * @param address the address, a multiple of 8
   * @param value the long
   */
  public static void putLongVolatile(long address, long value) {
    ALIGNED_LONG.setVolatile(ALL, address, value);
  }

  /**
   * Copies bytes; the ranges may overlap.
   *
   * @param from the beginning of the source
   * @param to the beginning of the destination
   * @param bytes how many bytes
   */
  public static void copy(long from, long to, long bytes) {
    MemorySegment.copy(ALL, from, ALL, to, bytes);
  }

  /**
   * Copies longs from memory to an array.
   *
   * @param from the beginning of the source
   * @param to the array
   * @param index the first index written
   * @param count how many longs
   */
  public static void copyToArray(long from, long[] to, int index, int count) {
    MemorySegment.copy(ALL, LONG, from, to, index, count);
  }

  /**
   * Copies longs from an array to memory.
   *
   * @param from the array
   * @param index the first index read
   * @param to the beginning of the destination
   * @param count how many longs
   */
  public static void copyFromArray(long[] from, int index, long to, int count) {
    MemorySegment.copy(from, index, ALL, LONG, to, count);
  }

  /**
   * Sets bytes to one value.
   *
   * @param address the beginning of the range
   * @param bytes how many bytes
   * @param value the value
   */
  public static void fill(long address, long bytes, byte value) {
    ALL.asSlice(address, bytes).fill(value);
  }

  /**
   * Wraps a range of memory in a scope.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @param scope the arena whose lifetime the segment gets
   * @return a segment over the range that is accessible while {@code scope} is alive
   */
  public static MemorySegment wrap(long address, long bytes, Arena scope) {
    return MemorySegment.ofAddress(address).reinterpret(bytes, scope, null);
  }
}
