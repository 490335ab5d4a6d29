// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import java.util.Arrays;

/**
 * Where blocks begin that were cut one behind the other, how long they are, and which are freed.
 *
 * <pre>
 *   memory   | block of 48 bytes         | block of 32 bytes | block of 4096 bytes     ...
 *   marks      3        0        0         -2        0         127      0      0   ...
 *              live, 3 granules            freed               live, its size is in a list
 * </pre>
 *
 * <p>A byte a granule of 16 bytes, in a table for each linear page in which a block begins. Tables
 * are made before they are needed, so that a block is entered by one store. Entries at and behind
 * the cursor of the allocator mean nothing.
 */
final class BlockMarks {

  /** The greatest block whose size is in its mark. */
  static final long SMALL_BYTES = 126 * GuestAllocator.MIN_ALIGNMENT;

  private static final int GRANULE_SHIFT = 4;
  private static final int GRANULES = LinearMemory.PAGE_BYTES >>> GRANULE_SHIFT;
  private static final int MASK = GRANULES - 1;
  private static final byte BIG = 127;

  /** The table of each linear page, null where no block begins. */
  byte[][] pages = new byte[1][];

  /** The blocks above {@link #SMALL_BYTES} in the order of their offsets. */
  private long[] bigStarts = new long[8];

  private long[] bigBytes = new long[8];
  private int bigs;

  /** Returns the index in a page's table of the granule at an offset. */
  static int index(long offset) {
    return (int) (offset >>> GRANULE_SHIFT) & MASK;
  }

  /** Makes all that is needed to enter a block. */
  void prepare(long start, long end) {
    int last = (int) (end >>> LinearMemory.PAGE_SHIFT);
    if (last >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(last + 1, Math.min(2 * pages.length, 1 << 16)));
    }
    int page = (int) (start >>> LinearMemory.PAGE_SHIFT);
    if (pages[page] == null) {
      pages[page] = new byte[GRANULES];
    }
    if (bigs == bigStarts.length) {
      bigStarts = Arrays.copyOf(bigStarts, 2 * bigs);
      bigBytes = Arrays.copyOf(bigBytes, 2 * bigs);
    }
  }

  /** Enters a live block, behind all others, that {@link #prepare} was called for. */
  void put(long start, long bytes) {
    byte mark = (byte) (bytes >>> GRANULE_SHIFT);
    if (bytes > SMALL_BYTES) {
      mark = BIG;
      bigStarts[bigs] = start;
      bigBytes[bigs++] = bytes;
    }
    pages[(int) (start >>> LinearMemory.PAGE_SHIFT)][index(start)] = mark;
  }

  /** Changes the size of the last block, which {@link #prepare} was called for. */
  void resizeLast(long start, long bytes) {
    if (bigs > 0 && bigStarts[bigs - 1] == start) {
      bigs--;
    }
    put(start, bytes);
  }

  /**
   * Returns the size of the block that begins at an offset before the cursor.
   *
   * @return the size in bytes; of a freed block its opposite; 0 if no block begins there
   */
  long bytesAt(long offset) {
    byte[] page = pages[(int) (offset >>> LinearMemory.PAGE_SHIFT)];
    if (page == null || (offset & GuestAllocator.MIN_ALIGNMENT - 1) != 0) {
      return 0;
    }
    byte mark = page[index(offset)];
    if (Math.abs(mark) != BIG) {
      return (long) mark << GRANULE_SHIFT;
    }
    long bytes = bigBytes[Arrays.binarySearch(bigStarts, 0, bigs, offset)];
    return mark > 0 ? bytes : -bytes;
  }

  /** Marks a live block as freed. */
  void free(long offset) {
    byte[] page = pages[(int) (offset >>> LinearMemory.PAGE_SHIFT)];
    page[index(offset)] = (byte) -page[index(offset)];
  }

  /** Returns where the last block at or before an offset begins, or -1 if there is none. */
  long startAtOrBefore(long offset) {
    int from = index(offset);
    for (int page = (int) (offset >>> LinearMemory.PAGE_SHIFT); page >= 0; page--) {
      if (pages[page] != null) {
        for (int i = from; i >= 0; i--) {
          if (pages[page][i] != 0) {
            return ((long) page << LinearMemory.PAGE_SHIFT) + ((long) i << GRANULE_SHIFT);
          }
        }
      }
      from = MASK;
    }
    return -1;
  }

  /** Forgets what begins in a range, which lies behind the cursor. */
  void clear(long from, long end) {
    for (long at = from; at < end; ) {
      long next = Math.min(end, (at | LinearMemory.PAGE_BYTES - 1) + 1);
      byte[] page = pages[(int) (at >>> LinearMemory.PAGE_SHIFT)];
      if (page != null) {
        Arrays.fill(page, index(at), index(next - 1) + 1, (byte) 0);
      }
      at = next;
    }
  }

  /** Returns how many blocks are in the list of large ones. */
  int bigs() {
    return bigs;
  }

  /** Takes the newest large blocks off their list. */
  void cutBigs(int count) {
    bigs = count;
  }
}
