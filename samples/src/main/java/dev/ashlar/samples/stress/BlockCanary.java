// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.samples.index.OffHeap;

/**
 * What is written into blocks and compared later: who allocated the block, and how large it is.
 *
 * <pre>
 *   block    | word | body, in full canaries only | word |
 *   word       bits 52..63 worker, 40..51 serial number, 0..39 size, all under a mask
 * </pre>
 *
 * <p>Blocks of less than 16 bytes have no word at the end, those of less than 8 the beginning of
 * the word only.
 */
final class BlockCanary {

  private static final long MASK = 0xA5C3_9687_B4D2_E178L;
  private static final int WORKER_SHIFT = 52;
  private static final int SERIAL_SHIFT = 40;
  private static final long FIELD = 0xfff;

  private BlockCanary() {}

  /** Writes the canary of a block. */
  static void paint(StressBlock block) {
    long word = wordOf(block);
    long address = block.address();
    long size = block.size();
    putBytes(address, word, Math.min(size, Long.BYTES));
    if (block.full() || size < 2 * Long.BYTES) {
      paintBody(address, bodyEnd(size), word);
    }
    if (size >= 2 * Long.BYTES) {
      OffHeap.putLong(address + size - Long.BYTES, word);
    }
  }

  private static void paintBody(long address, long end, long word) {
    long at = Long.BYTES;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      OffHeap.putLong(address + at, bodyWord(word, at));
    }
    if (at < end) {
      putBytes(address + at, bodyWord(word, at), end - at);
    }
  }

  /**
   * Compares a block with its canary.
   *
   * @throws StressFault if something else has been written there
   */
  static void check(StressBlock block) {
    checkAt(block, block.address(), block.size());
  }

  /**
   * Compares the beginning of a block that may have moved with its canary.
   *
   * @param address where the block is
   * @param kept how many of its bytes are to be as they were
   * @throws StressFault if something else has been written there
   */
  static void checkAt(StressBlock block, long address, long kept) {
    long word = wordOf(block);
    long size = block.size();
    checkBytes(block, address, 0, word, Math.min(kept, Long.BYTES));
    if (block.full() || size < 2 * Long.BYTES) {
      checkBody(block, address, Math.min(kept, bodyEnd(size)), word);
    }
    if (kept == size && size >= 2 * Long.BYTES) {
      checkBytes(block, address, size - Long.BYTES, word, Long.BYTES);
    }
  }

  private static void checkBody(StressBlock block, long address, long end, long word) {
    long at = Long.BYTES;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      if (OffHeap.getLong(address + at) != bodyWord(word, at)) {
        checkBytes(block, address, at, bodyWord(word, at), Long.BYTES);
      }
    }
    if (at < end) {
      checkBytes(block, address, at, bodyWord(word, at), end - at);
    }
  }

  /**
   * Finds bytes that are not zero in a block that was to be zeroed: every byte of a small one, of
   * others the ends and a word in each 4 KiB.
   *
   * @throws StressFault if there are any
   */
  static void checkZeroed(StressBlock block) {
    long size = block.size();
    long at = 0;
    while (at + Long.BYTES <= size) {
      if (OffHeap.getLong(block.address() + at) != 0) {
        throw new StressFault(block + " was to be zeroed and is not at offset " + at);
      }
      long next = at < 4096 ? at + Long.BYTES : at + 4096;
      at = next > size - Long.BYTES ? Math.max(at + Long.BYTES, size - Long.BYTES) : next;
    }
    for (; at < size; at++) {
      if (OffHeap.getByte(block.address() + at) != 0) {
        throw new StressFault(block + " was to be zeroed and is not at offset " + at);
      }
    }
  }

  private static long bodyEnd(long size) {
    return size < 2 * Long.BYTES ? size : size - Long.BYTES;
  }

  private static long bodyWord(long word, long at) {
    return Long.rotateLeft(word, (int) (at >>> 3)) ^ at;
  }

  private static long wordOf(StressBlock block) {
    return ((block.worker() & FIELD) << WORKER_SHIFT
            | (block.serial() & FIELD) << SERIAL_SHIFT
            | block.size())
        ^ MASK;
  }

  private static void putBytes(long address, long word, long count) {
    for (int i = 0; i < count; i++) {
      OffHeap.putByte(address + i, (byte) (word >>> i * Byte.SIZE));
    }
  }

  private static void checkBytes(
      StressBlock block, long address, long offset, long expected, long count) {
    long found = 0;
    long wanted = 0;
    for (int i = 0; i < count; i++) {
      found |= (OffHeap.getByte(address + offset + i) & 0xffL) << i * Byte.SIZE;
      wanted |= (expected >>> i * Byte.SIZE & 0xff) << i * Byte.SIZE;
    }
    if (found != wanted) {
      throw new StressFault(
          block
              + " has 0x"
              + Long.toHexString(found)
              + " instead of 0x"
              + Long.toHexString(wanted)
              + " at offset "
              + offset
              + readable(found));
    }
  }

  /** Says what a word means if it is that of another block. */
  private static String readable(long found) {
    long plain = found ^ MASK;
    return ", as a canary: worker "
        + (plain >>> WORKER_SHIFT)
        + ", "
        + (plain & (1L << SERIAL_SHIFT) - 1)
        + " bytes";
  }
}
