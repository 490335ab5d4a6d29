// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static dev.ashlar.alloc.heap.ProcessSpace.SLOT_BASE;

import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.SizeClasses;

/**
 * A heap's stacks of ready blocks, one for each small class, in native memory at a computed
 * address.
 *
 * <pre>
 *   slot + 2840   owner     the id of the thread whose heap this is, 0 if there is none
 *   slot + 2848   tops      8 bytes a class
 *   slot + 4096   rows      1 KiB a class: 127 addresses at most, the newest last
 *
 *   top, bits 32..63        room: how many more addresses the row takes
 *        bits  0..31        where the next address goes, in words from SLOT_BASE
 * </pre>
 *
 * <p>A row begins at a multiple of its size, so a row is empty when the low seven bits of its top
 * are zero, and full when there is no room: one test each, on the one word that is loaded anyway.
 * Classes without a magazine have a top without room for ever, so that a free of them ends in the
 * slow path without a test of its own.
 *
 * <p>Owner and tops are in the middle of an operating system's page because processors guess by the
 * low twelve bits of an address which load depends on which store, and a wrong guess costs more
 * than the rest of a call: the blocks that are used most, and their marks, begin where pages begin.
 * Nor does a top share those bits with a place of its own row that is in use often.
 *
 * <p>Only the thread that a slot belongs to touches it. A block in a magazine is free to its user
 * and <em>out</em> to its page.
 */
final class Magazines {

  /** The size of a slot in bytes, as a shift. */
  static final int SLOT_SHIFT = 17;

  private static final int OWNER = 2840;
  private static final int TOPS = OWNER + 8;
  private static final int ROWS = 4096;
  private static final int ROW_SHIFT = 10;

  /** The words of a row, less one: the bits of a top that tell whether a row is empty. */
  private static final int ROW_MASK = (1 << ROW_SHIFT - 3) - 1;

  /** What is added to a top when an address is taken: one more room, one word back. */
  private static final long TAKEN = (1L << 32) - 1;

  /** How many bytes of blocks a magazine holds at most, where a few blocks are not more. */
  private static final int MAGAZINE_BYTES = 64 << 10;

  private static final int LEAST_CAPACITY = 4;

  private static final int[] CAPACITY = new int[SizeClasses.TABLE_LENGTH];

  static {
    for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
      CAPACITY[c] = Math.clamp(MAGAZINE_BYTES / SizeClasses.bytes(c), LEAST_CAPACITY, ROW_MASK);
    }
  }

  private Magazines() {}

  // ---- the fast path

  /** Returns where the owner's word is. */
  static long ownerAddress(long slot) {
    return slot + OWNER;
  }

  /** Returns where the top of a class is. */
  static long topAddress(long slot, int sizeClass) {
    return slot + TOPS + ((long) sizeClass << 3);
  }

  static boolean isEmpty(long top) {
    return (top & ROW_MASK) == 0;
  }

  static boolean isFull(long top) {
    return top >>> 32 == 0;
  }

  /** Returns where the next address goes. A constant and an unsigned number: no bounds check. */
  static long place(long top) {
    return SLOT_BASE + ((top & 0xffff_ffffL) << 3);
  }

  static long lessOne(long top) {
    return top + TAKEN;
  }

  static long plusOne(long top) {
    return top - TAKEN;
  }

  // ---- the rest

  /** Returns how many blocks of a class a magazine holds at most. */
  static int capacity(int sizeClass) {
    return CAPACITY[sizeClass];
  }

  /** Returns how many blocks go between a magazine and what is behind it at once. */
  static int transfer(int sizeClass) {
    return CAPACITY[sizeClass] + 1 >>> 1;
  }

  static long row(long slot, int sizeClass) {
    return slot + ROWS + ((long) sizeClass << ROW_SHIFT);
  }

  /** Makes all magazines of a slot empty and pins those of the other classes. */
  static void initialise(long slot) {
    for (int c = 0; c < SizeClasses.TABLE_LENGTH; c++) {
      if (CAPACITY[c] > 0) {
        setCount(slot, c, 0);
      } else {
        RawMemory.putLong(topAddress(slot, c), 1);
      }
    }
  }

  /** Makes the magazines of a slot those of another, which are not to be used any more. */
  static void move(long from, long to) {
    initialise(to);
    for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
      int count = count(from, c);
      if (count > 0) {
        RawMemory.copy(row(from, c), row(to, c), 8L * count);
        setCount(to, c, count);
      }
    }
  }

  static int count(long slot, int sizeClass) {
    return (int) RawMemory.getLong(topAddress(slot, sizeClass)) & ROW_MASK;
  }

  static void setCount(long slot, int sizeClass, int count) {
    long room = (long) CAPACITY[sizeClass] - count;
    long word = (row(slot, sizeClass) - SLOT_BASE >>> 3) + count;
    RawMemory.putLong(topAddress(slot, sizeClass), room << 32 | word);
  }

  /** Takes the newest block of a class; 0 if there is none. */
  static long pop(long slot, int sizeClass) {
    long at = topAddress(slot, sizeClass);
    long top = RawMemory.getLong(at);
    if (isEmpty(top)) {
      return 0;
    }
    top = lessOne(top);
    RawMemory.putLong(at, top);
    return RawMemory.getLong(place(top));
  }

  /** Puts a block on a class's magazine; false if there is no room. */
  static boolean push(long slot, int sizeClass, long address) {
    long at = topAddress(slot, sizeClass);
    long top = RawMemory.getLong(at);
    if (isFull(top)) {
      return false;
    }
    RawMemory.putLong(place(top), address);
    RawMemory.putLong(at, plusOne(top));
    return true;
  }

  /** Takes the oldest blocks of a class out. */
  static void takeOldest(long slot, int sizeClass, long[] into, int count) {
    long row = row(slot, sizeClass);
    int rest = count(slot, sizeClass) - count;
    RawMemory.copyToArray(row, into, 0, count);
    RawMemory.copy(row + 8L * count, row, 8L * rest);
    setCount(slot, sizeClass, rest);
  }
}
