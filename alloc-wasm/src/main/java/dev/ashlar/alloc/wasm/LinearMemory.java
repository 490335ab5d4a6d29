// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

/**
 * A range of bytes from offset 0 that only grows, by <em>linear pages</em> of {@value #PAGE_BYTES}
 * bytes.
 *
 * <p>It never shrinks and never moves as seen through offsets; there is no giving back and no
 * protection of parts. Offsets and sizes in bytes are never negative here: the greatest memory, of
 * {@value #MAX_PAGES} pages, ends at 2<sup>32</sup>, so a guest's 32-bit offset is to be taken as
 * unsigned.
 *
 * <p>{@link NativeLinearMemory} is one outside the Java heap. Whoever runs WebAssembly guests
 * implements this interface over the memory of a guest, so that the allocators here work in it.
 *
 * @implSpec A call that is refused leaves the memory as it was. Pages added by {@link #grow} hold
 *     zeros.
 */
public interface LinearMemory {

  /** The binary logarithm of the size of a linear page in bytes. */
  int PAGE_SHIFT = 16;

  /** The size of a linear page in bytes. */
  int PAGE_BYTES = 1 << PAGE_SHIFT;

  /** The greatest number of linear pages: 4 GiB. */
  int MAX_PAGES = 1 << 16;

  /** What {@link #grow} returns when it refuses. */
  int REFUSED = -1;

  /**
   * Returns how large this memory is.
   *
   * @return the size in linear pages, from 0 to {@value #MAX_PAGES}
   */
  int pages();

  /**
   * Returns how large this memory can become.
   *
   * @return the size in linear pages, from 0 to {@value #MAX_PAGES}
   */
  int maximumPages();

  /**
   * Grows this memory by pages of zeros.
   *
   * @param pages how many linear pages to add, not negative; 0 asks for the size
   * @return the size before in linear pages, or {@link #REFUSED} if that would pass the maximum or
   *     the memory is not to be had; nothing has changed then
   * @throws IllegalArgumentException if {@code pages} is negative
   * @throws IllegalStateException if this memory is closed
   */
  int grow(int pages);

  /**
   * Returns from where on this memory was made of zeros: by growth, or from its beginning. Nothing
   * at or beyond this offset has been written except by the blocks that were given out there.
   *
   * @return the offset in bytes
   */
  long zeroFrom();

  /**
   * Sets bytes to one value.
   *
   * @param offset where to begin
   * @param bytes how many bytes
   * @param value the value
   * @throws IndexOutOfBoundsException if the range is not in this memory
   * @throws IllegalStateException if this memory is closed
   */
  void fill(long offset, long bytes, byte value);

  /**
   * Copies bytes; the ranges may overlap.
   *
   * @param from the beginning of the source
   * @param to the beginning of the destination
   * @param bytes how many bytes
   * @throws IndexOutOfBoundsException if a range is not in this memory
   * @throws IllegalStateException if this memory is closed
   */
  void copy(long from, long to, long bytes);
}
