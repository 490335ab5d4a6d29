// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import java.util.BitSet;

/**
 * The numbers that allocators with checks mark their live blocks with, so that a free reaching the
 * wrong allocator is found by the compare that finds every other misuse.
 *
 * <p>There are 254 of them. Allocators beyond that share one more number: a block of one is then
 * not refused by another at once.
 */
final class BlockTags {

  /** The mark of no block. */
  static final byte NONE = 0;

  private static final int SHARED = 255;

  private static final BitSet TAKEN = new BitSet(SHARED);

  /** The number given last: going round, one is not given again soon. */
  private static int last;

  private BlockTags() {}

  static byte take() {
    synchronized (TAKEN) {
      int tag = TAKEN.nextClearBit(last + 1);
      if (tag >= SHARED) {
        tag = TAKEN.nextClearBit(1);
      }
      if (tag >= SHARED) {
        return (byte) SHARED;
      }
      TAKEN.set(tag);
      last = tag;
      return (byte) tag;
    }
  }

  static void give(byte tag) {
    synchronized (TAKEN) {
      if (Byte.toUnsignedInt(tag) < SHARED) {
        TAKEN.clear(Byte.toUnsignedInt(tag));
      }
    }
  }
}
