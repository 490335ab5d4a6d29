// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

/** A block of ints with their number before them. */
final class Ints {

  private static final int HEADER_BYTES = 4;

  private Ints() {}

  /** Allocates a block for {@code count} ints, which are to be written. */
  static long create(Blocks blocks, int slot, int count) {
    long block = blocks.allocate(slot, bytes(count));
    OffHeap.putInt(block, count);
    return block;
  }

  static int count(long block) {
    return OffHeap.getInt(block);
  }

  static int get(long block, int index) {
    return OffHeap.getInt(at(block, index));
  }

  static void set(long block, int index, int value) {
    OffHeap.putInt(at(block, index), value);
  }

  /** Fills a block from an array. */
  static void setAll(long block, int[] from, int index) {
    OffHeap.putInts(from, index, at(block, 0), count(block));
  }

  /** Returns a copy of all ints. */
  static int[] getAll(long block) {
    int[] all = new int[count(block)];
    OffHeap.getInts(at(block, 0), all, all.length);
    return all;
  }

  static void free(Blocks blocks, int slot) {
    blocks.free(slot, bytes(count(blocks.address(slot))));
  }

  private static long at(long block, int index) {
    return block + HEADER_BYTES + (long) index * Integer.BYTES;
  }

  private static long bytes(int count) {
    return HEADER_BYTES + (long) count * Integer.BYTES;
  }
}
