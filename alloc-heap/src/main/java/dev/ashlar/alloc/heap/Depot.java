// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.SizeClasses;

/**
 * A heap's store of half magazines, between its magazines and its pages: a program that frees many
 * blocks and allocates as many again moves them here and back as arrays, without looking at pages.
 *
 * <p>It holds at most {@value #CLASS_BYTES} bytes of blocks of a class and {@value #HEAP_BYTES}
 * bytes in all. For the heap's owner only.
 */
final class Depot {

  /** The most bytes of blocks of one class. */
  static final int CLASS_BYTES = 256 << 10;

  /** The most bytes of blocks of all classes. */
  static final int HEAP_BYTES = 4 << 20;

  private static final int MOST_HALVES = 64;

  private final long[][][] halves = new long[SizeClasses.LAST_SMALL + 1][][];
  private final int[] counts = new int[SizeClasses.LAST_SMALL + 1];
  private int bytes;

  /** Moves the oldest half of a magazine here; false if that would be more than this may hold. */
  boolean put(long slot, int sizeClass) {
    int size = Magazines.transfer(sizeClass);
    int halfBytes = size * SizeClasses.bytes(sizeClass);
    int limit = Math.min(MOST_HALVES, CLASS_BYTES / halfBytes);
    int count = counts[sizeClass];
    if (count >= limit || bytes + halfBytes > HEAP_BYTES) {
      return false;
    }
    long[][] stack = halves[sizeClass];
    if (stack == null) {
      halves[sizeClass] = stack = new long[limit][];
    }
    if (stack[count] == null) {
      stack[count] = new long[size];
    }
    Magazines.takeOldest(slot, sizeClass, stack[count], size);
    counts[sizeClass] = count + 1;
    bytes += halfBytes;
    return true;
  }

  /** Moves a half into an empty magazine; false if there is none. */
  boolean take(long slot, int sizeClass) {
    int count = counts[sizeClass] - 1;
    if (count < 0) {
      return false;
    }
    long[] half = halves[sizeClass][count];
    RawMemory.copyFromArray(half, 0, Magazines.row(slot, sizeClass), half.length);
    Magazines.setCount(slot, sizeClass, half.length);
    removeNewest(sizeClass);
    return true;
  }

  /** Returns the newest half of a class, or null. */
  long[] newest(int sizeClass) {
    return counts[sizeClass] == 0 ? null : halves[sizeClass][counts[sizeClass] - 1];
  }

  /** Removes the newest half of a class. */
  void removeNewest(int sizeClass) {
    counts[sizeClass]--;
    bytes -= Magazines.transfer(sizeClass) * SizeClasses.bytes(sizeClass);
  }

  /** Returns how many blocks of a class are here. */
  int blocks(int sizeClass) {
    return counts[sizeClass] * Magazines.transfer(sizeClass);
  }

  /** Returns a half of a class, for walks. */
  long[] half(int sizeClass, int index) {
    return halves[sizeClass][index];
  }

  int halves(int sizeClass) {
    return counts[sizeClass];
  }
}
