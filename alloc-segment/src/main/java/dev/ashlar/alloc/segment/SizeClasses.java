// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/**
 * The block sizes of pages: every 16 bytes to 128 bytes, then eight to each doubling.
 *
 * <p>A block of {@code n} bytes therefore wastes less than 16 bytes up to 128 bytes, and less than
 * an eighth of {@code n} above. Classes are numbered from 1; class {@link #NONE} is no class.
 * Classes to {@link #SMALL_BYTES} are <em>small</em>, those above to {@link #MEDIUM_BYTES}
 * <em>medium</em>; larger blocks are spans of their own and have the class number {@link #LARGE} in
 * the page map.
 *
 * <p>Eight steps to a doubling are those of mimalloc's bins and of jemalloc with a finer group,
 * chosen here for the bound on waste.
 */
public final class SizeClasses {

  /** The class number that stands for no class. */
  public static final int NONE = 0;

  /** The greatest small block in bytes. */
  public static final int SMALL_BYTES = 32 << 10;

  /** The greatest medium block in bytes. */
  public static final int MEDIUM_BYTES = 512 << 10;

  /** The greatest class number of a small block. */
  public static final int LAST_SMALL = 72;

  /** The greatest class number of a medium block. */
  public static final int LAST_MEDIUM = 104;

  /** The class number in the page map of a block that is a span of its own. */
  public static final int LARGE = 105;

  /**
   * Set in the page map, besides the class number, where a page is of a heap with spans of its own:
   * its blocks do not mix with others.
   */
  public static final int OWNED = 128;

  /** How many entries a table has that is indexed by what the page map has for a slice. */
  public static final int TABLE_LENGTH = 256;

  /**
   * The least number of blocks in a page of a small class: fewer would make pages too short-lived.
   */
  private static final int SMALL_PAGE_BLOCKS = 8;

  /** The share of a page that may stay unused behind its last block, as a shift. */
  private static final int PAGE_WASTE_SHIFT = 4;

  private static final int[] BYTES = new int[TABLE_LENGTH];
  private static final int[] PAGE_SLICES = new int[TABLE_LENGTH];

  /**
   * The class of a size in units of 16 bytes, to {@link #SMALL_BYTES}; padded to a power of two.
   */
  private static final byte[] SMALL_TABLE = new byte[4096];

  static {
    for (int c = 1; c <= LAST_MEDIUM; c++) {
      BYTES[c] = c <= 8 ? 16 * c : (8 + (c - 1 & 7) + 1) << (c - 1 >>> 3) + 3;
      PAGE_SLICES[c] = pageSlicesFor(BYTES[c], c <= LAST_SMALL ? SMALL_PAGE_BLOCKS : 1);
    }
    for (int units = 0; units <= SMALL_BYTES >>> 4; units++) {
      SMALL_TABLE[units] = (byte) ofFormula(Math.max(units, 1) << 4);
    }
  }

  private SizeClasses() {}

  private static int pageSlicesFor(int blockBytes, int leastBlocks) {
    for (int slices = 1; ; slices++) {
      int bytes = slices << Segment.SLICE_SHIFT;
      int blocks = bytes / blockBytes;
      if (blocks >= leastBlocks && bytes - blocks * blockBytes <= bytes >>> PAGE_WASTE_SHIFT) {
        return slices;
      }
    }
  }

  /** The class of a size by its leading zeros. */
  private static int ofFormula(int size) {
    if (size <= 128) {
      return size + 15 >>> 4;
    }
    int last = size - 1;
    int exponent = 31 - Integer.numberOfLeadingZeros(last);
    return (exponent - 7 << 3) + (last >>> exponent - 3 & 7) + 9;
  }

  /**
   * Returns the class of a small size. This is on the fast path: one load from a constant table,
   * whose index is masked so that it needs no bounds check.
   *
   * @param size a size in bytes from 0 to {@link #SMALL_BYTES}
   * @return the class number
   */
  public static int ofSmall(long size) {
    return SMALL_TABLE[(int) (size + 15 >>> 4) & 4095];
  }

  /**
   * Returns the class of a small or medium size.
   *
   * @param size a size in bytes from 0 to {@link #MEDIUM_BYTES}
   * @return the class number
   */
  public static int of(int size) {
    return ofFormula(Math.max(size, 1));
  }

  /**
   * Returns the least class whose blocks hold a size and all begin at a multiple of an alignment.
   *
   * @param size a size in bytes from 0 to {@link #MEDIUM_BYTES}
   * @param alignment a power of two from 1 to {@link Segment#SLICE_BYTES}
   * @return the class number
   */
  public static int ofAligned(int size, int alignment) {
    int c = of(Math.max(size, alignment));
    while ((BYTES[c] & alignment - 1) != 0) {
      c++;
    }
    return c;
  }

  /**
   * Tells whether an entry of the page map is the class of blocks in pages that mix with others.
   *
   * @param entry an entry of the page map, 0 to 255
   * @return true for small and medium classes
   */
  public static boolean isPaged(int entry) {
    return entry != NONE && entry <= LAST_MEDIUM;
  }

  /**
   * Returns the size of a class's blocks.
   *
   * @param sizeClass a class number from 1 to {@link #LAST_MEDIUM}
   * @return the size in bytes
   */
  public static int bytes(int sizeClass) {
    return BYTES[sizeClass];
  }

  /**
   * Returns how long a page of a class is.
   *
   * @param sizeClass a class number from 1 to {@link #LAST_MEDIUM}
   * @return the length in slices
   */
  public static int pageSlices(int sizeClass) {
    return PAGE_SLICES[sizeClass];
  }

  /**
   * Returns the usable size that a request is rounded up to.
   *
   * @param size a size in bytes, not negative
   * @return the size in bytes, or -1 if it does not fit in a {@code long}
   */
  public static long goodBytes(long size) {
    if (size <= MEDIUM_BYTES) {
      return BYTES[of((int) size)];
    }
    long rounded = size + Segment.SLICE_BYTES - 1 & -Segment.SLICE_BYTES;
    return rounded < 0 ? -1 : rounded;
  }
}
