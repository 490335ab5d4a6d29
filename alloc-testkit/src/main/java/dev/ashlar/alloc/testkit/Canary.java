// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.RawMemory;
import java.nio.ByteOrder;

/**
 * A pattern that fills a block and tells later whether anything else wrote there.
 *
 * <p>Each word depends on the block's tag and on its offset, not on its address, so that it can be
 * checked after a block has moved. {@link #FULL} covers every byte. {@link #SPARSE} covers every
 * byte of the first and last 4 KiB and one word of every 4 KiB in between, for runs that would
 * otherwise spend their time in large blocks; whatever overlaps such a block by an OS page or more
 * still shows.
 *
 * <p>Safe for use by many threads at once.
 */
public enum Canary {
  /** Covers every byte. */
  FULL,
  /** Covers both ends and a word of each 4 KiB. */
  SPARSE;

  private static final long STRIDE = 4096;
  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  /**
   * Writes the pattern.
   *
   * @param address the beginning of the block
   * @param bytes its size
   * @param tag what tells this block's pattern from another's
   */
  public void paint(long address, long bytes, long tag) {
    long words = bytes & -Long.BYTES;
    for (long at = 0; at < words; at = next(at, bytes)) {
      RawMemory.putLong(address + at, word(tag, at));
    }
    for (long at = words; at < bytes; at++) {
      RawMemory.putByte(address + at, byteOf(word(tag, words), at - words));
    }
  }

  /**
   * Compares the beginning of a block with the pattern.
   *
   * @param address where the block is now
   * @param kept how many bytes of it to compare, at most {@code bytes}
   * @param bytes the size that was painted
   * @param tag the tag that was painted
   * @return the offset of a damaged byte or of its word, -1 if there is none
   */
  public long firstDamage(long address, long kept, long bytes, long tag) {
    long words = Math.min(kept, bytes) & -Long.BYTES;
    long at = 0;
    for (; at < words; at = next(at, bytes)) {
      if (RawMemory.getLong(address + at) != word(tag, at)) {
        return at;
      }
    }
    // The end of what is kept may lie inside a painted word, or in the bytes after the last one.
    for (long i = at; i < kept; i++) {
      if (RawMemory.getByte(address + i) != byteOf(word(tag, at), i - at)) {
        return i;
      }
    }
    return -1;
  }

  private static byte byteOf(long word, long index) {
    long place = LITTLE_ENDIAN ? index : Long.BYTES - 1 - index;
    return (byte) (word >>> (place * Byte.SIZE));
  }

  private long next(long at, long bytes) {
    long following = at + Long.BYTES;
    if (this == FULL || following < STRIDE) {
      return following;
    }
    long tail = (bytes - STRIDE) & -Long.BYTES;
    return following >= tail ? following : Math.min((following + STRIDE - 1) & -STRIDE, tail);
  }

  private static long word(long tag, long at) {
    return (tag + at) * 0x9E3779B97F4A7C15L ^ tag;
  }
}
