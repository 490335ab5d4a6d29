// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

/**
 * The numbers that allocators with checks mark their live blocks with, so that a free reaching the
 * wrong allocator is found by the compare that finds every other misuse.
 *
 * <p>Allocators beyond the first 254 share one more number: a block of one is then not refused by
 * another at once.
 */
final class BlockTags {

  /** The mark of no block. */
  static final byte NONE = 0;

  private static final ByteNumbers NUMBERS = new ByteNumbers();

  private BlockTags() {}

  static byte take() {
    return NUMBERS.take();
  }

  static void give(byte tag) {
    NUMBERS.give(tag);
  }
}
