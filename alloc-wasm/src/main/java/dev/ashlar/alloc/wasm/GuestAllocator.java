// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;

/**
 * The malloc family over offsets in a {@link LinearMemory}.
 *
 * <p>Offsets are those of the memory, from 0 to 2<sup>32</sup> - 1, never negative: a guest's
 * 32-bit pointer is to be widened as an unsigned number. Offset 0 stands for "no block": no method
 * returns it, {@link #free} ignores it and {@link #realloc} of it allocates. Blocks begin at
 * multiples of {@value #MIN_ALIGNMENT}, are disjoint, and end at or before 2<sup>32</sup> - 16, so
 * that the offset just behind a block is one too. All sizes and alignments are in bytes.
 *
 * <p>What describes blocks is in the Java heap: whatever a guest writes, it damages its own blocks
 * only, and a bad offset is an exception. Memory that is not in a block is not accessed.
 *
 * <p>A call first uses memory that there is. If that does not do, it grows the memory once, by what
 * is missing.
 *
 * <p>Not safe for use by several threads at once, but for what {@link #locked()} returns.
 *
 * @implSpec A call that throws leaves every live block, every figure and the size of the memory as
 *     they were.
 */
public interface GuestAllocator {

  /** The alignment in bytes of every block. */
  int MIN_ALIGNMENT = 16;

  /** The greatest alignment in bytes that can be asked for: 1 GiB. */
  long MAX_ALIGNMENT = 1L << 30;

  /** Where the last block of the greatest memory ends at the latest. */
  long MAX_END = (1L << 32) - MIN_ALIGNMENT;

  /**
   * Allocates a block with unspecified contents.
   *
   * @param size the size in bytes; zero gives a distinct block that is freed like any other
   * @return the offset of the block, never 0
   * @throws IllegalArgumentException if {@code size} is negative
   * @throws IllegalStateException if the memory had to grow and is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block; its cause is a {@link
   *     GrowthRefusedException} with this allocator's figures
   */
  long malloc(long size);

  /**
   * Allocates a block whose first {@code size} bytes are zero.
   *
   * @param size the size in bytes; zero is allowed
   * @return the offset of the block, never 0
   * @throws IllegalArgumentException if {@code size} is negative
   * @throws IllegalStateException if the memory is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block; its cause is a {@link
   *     GrowthRefusedException}
   */
  long zalloc(long size);

  /**
   * Allocates a zeroed block for {@code count} elements of {@code size} bytes.
   *
   * @param count the number of elements
   * @param size the size of an element in bytes
   * @return the offset of the block, never 0
   * @throws IllegalArgumentException if {@code count} or {@code size} is negative
   * @throws IllegalStateException if the memory is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block, or the product does not
   *     fit in a {@code long}; its cause is a {@link GrowthRefusedException}
   */
  default long calloc(long count, long size) {
    if (count < 0 || size < 0) {
      throw new IllegalArgumentException(
          "count " + count + " or size " + size + " bytes is not in 0 to " + Long.MAX_VALUE);
    }
    boolean fits = Math.multiplyHigh(count, size) == 0 && count * size >= 0;
    return zalloc(fits ? count * size : Long.MAX_VALUE);
  }

  /**
   * Allocates a block with unspecified contents at an aligned offset. It is freed like any other.
   *
   * @param size the size in bytes; need not be a multiple of the alignment; zero is allowed
   * @param alignment the alignment of the offset in bytes: a positive power of two of at most
   *     {@value #MAX_ALIGNMENT}
   * @return the offset of the block, never 0
   * @throws IllegalArgumentException if {@code size} is negative or {@code alignment} is not as
   *     described
   * @throws IllegalStateException if the memory had to grow and is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block; its cause is a {@link
   *     GrowthRefusedException}
   */
  long alignedAlloc(long size, long alignment);

  /**
   * Changes the size of a block, moving it when it has to. The bytes up to the smaller of both
   * sizes are kept; bytes past them are unspecified.
   *
   * @param offset a live block, or 0 to allocate a new one
   * @param newSize the new size in bytes; zero is allowed and gives a distinct block, it does not
   *     free
   * @return the offset of the block, never 0; {@code offset} must not be used any more unless it is
   *     the same
   * @throws IllegalArgumentException if {@code newSize} is negative
   * @throws IllegalStateException if the memory is closed and the block had to move
   * @throws MemoryMisuseException if {@code offset} is neither 0 nor a live block
   * @throws NativeMemoryExhaustedError if there is no memory for the new size; the block is then
   *     still live and unchanged. Its cause is a {@link GrowthRefusedException}
   */
  long realloc(long offset, long newSize);

  /**
   * Frees a block.
   *
   * @param offset a live block, or 0, which does nothing
   * @throws MemoryMisuseException if {@code offset} is neither 0 nor a live block
   */
  void free(long offset);

  /**
   * Returns how many bytes a block can hold without moving.
   *
   * @param offset a live block
   * @return the size in bytes, at least the size asked for
   * @throws MemoryMisuseException if {@code offset} is no live block
   */
  long usableSize(long offset);

  /**
   * Counts what this allocator has given out.
   *
   * @return a snapshot
   */
  GuestStats stats();

  /**
   * Returns this allocator for any thread: each call holds a lock.
   *
   * @return an allocator of the same blocks, beside which this one must not be used any more
   */
  default GuestAllocator locked() {
    return new LockedAllocator(this);
  }
}
