// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

/** Checks of what callers of a {@link VirtualMemory} hand in, the same in every binding. */
public final class Ranges {

  private Ranges() {}

  /**
   * Checks that a range is one of whole OS pages.
   *
   * @param address its beginning
   * @param bytes its size in bytes
   * @param osPageBytes the size of an OS page
   * @throws IllegalArgumentException if it is empty, has an end beyond the last address, or begins
   *     or ends inside an OS page
   */
  public static void check(long address, long bytes, long osPageBytes) {
    if (address < 0
        || bytes <= 0
        || address > Long.MAX_VALUE - bytes
        || ((address | bytes) & osPageBytes - 1) != 0) {
      throw new IllegalArgumentException(
          bytes
              + " bytes at 0x"
              + Long.toHexString(address)
              + ": a range is not empty and of whole OS pages of "
              + osPageBytes
              + " bytes");
    }
  }

  /**
   * Checks a request for a reservation.
   *
   * @param bytes its size in bytes
   * @param alignment its alignment in bytes
   * @param access its access
   * @param osPageBytes the size of an OS page
   * @throws IllegalArgumentException if no range has such a size, the alignment is no power of two
   *     or less than an OS page, both together exceed all address space, or the access is {@link
   *     VirtualMemory.Access#READ_WRITE}
   */
  public static void checkReservation(
      long bytes, long alignment, VirtualMemory.Access access, long osPageBytes) {
    if (Long.bitCount(alignment) != 1 || alignment < osPageBytes) {
      throw new IllegalArgumentException(
          "alignment " + alignment + ": a power of two from " + osPageBytes + " on");
    }
    check(0, bytes, osPageBytes);
    if (bytes > Long.MAX_VALUE - alignment) {
      throw new IllegalArgumentException(
          "bytes " + bytes + ", alignment " + alignment + ": beyond all address space");
    }
    if (access == VirtualMemory.Access.READ_WRITE) {
      throw new IllegalArgumentException(
          "access READ_WRITE: a reserved range is NONE or READ until it is committed");
    }
  }

  /**
   * Checks that two ranges are of whole OS pages and do not overlap.
   *
   * @param one the beginning of the first
   * @param other the beginning of the second
   * @param bytes the size of each in bytes
   * @param osPageBytes the size of an OS page
   * @throws IllegalArgumentException if they are not
   */
  public static void checkDisjoint(long one, long other, long bytes, long osPageBytes) {
    check(one, bytes, osPageBytes);
    check(other, bytes, osPageBytes);
    if (Math.abs(one - other) < bytes) {
      throw new IllegalArgumentException(
          bytes
              + " bytes at 0x"
              + Long.toHexString(one)
              + " and 0x"
              + Long.toHexString(other)
              + ": the ranges overlap");
    }
  }

  /**
   * Checks the number of a memory node.
   *
   * @param node the number
   * @throws IllegalArgumentException if it is not from 0 to 63
   */
  public static void checkNode(int node) {
    if (node < 0 || node >= Long.SIZE) {
      throw new IllegalArgumentException("node " + node + ": from 0 to " + (Long.SIZE - 1));
    }
  }
}
