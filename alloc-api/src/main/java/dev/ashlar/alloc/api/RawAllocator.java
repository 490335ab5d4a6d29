// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

/**
 * The malloc family over {@code long} addresses, for data structures that keep their own pointers.
 *
 * <p>Blocks are at least {@value #MIN_ALIGNMENT}-byte aligned, disjoint, and may be used and freed
 * by any thread. All sizes and alignments are in bytes. Address 0 stands for "no block": {@link
 * #free(long)} ignores it and {@link #realloc(long, long)} of it allocates; no method returns it.
 *
 * <p>These methods check the addresses handed to them unless the allocator was built without
 * checks; what a program does <em>inside</em> a block, through whatever means it reads and writes
 * raw addresses with, is its own responsibility.
 *
 * @implSpec Implementations are safe for use by many threads at once. A call that throws leaves
 *     every live block and every counter as it was.
 */
public interface RawAllocator {

  /** The alignment in bytes of every block. */
  int MIN_ALIGNMENT = 16;

  /** The greatest alignment in bytes that can be asked for: 1 GiB. */
  long MAX_ALIGNMENT = 1L << 30;

  /**
   * Allocates a block with unspecified contents.
   *
   * @param size the size in bytes; zero gives a distinct block that must be freed like any other
   * @return the address of the block, never 0
   * @throws IllegalArgumentException if {@code size} is negative
   * @throws IllegalStateException if the allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  long malloc(long size);

  /**
   * Allocates a block whose first {@code size} bytes are zero.
   *
   * @param size the size in bytes; zero is allowed
   * @return the address of the block, never 0
   * @throws IllegalArgumentException if {@code size} is negative
   * @throws IllegalStateException if the allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  long zalloc(long size);

  /**
   * Allocates a zeroed block for {@code count} elements of {@code size} bytes.
   *
   * @param count the number of elements
   * @param size the size of an element in bytes
   * @return the address of the block, never 0
   * @throws IllegalArgumentException if {@code count} or {@code size} is negative
   * @throws IllegalStateException if the allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block, or the product does not
   *     fit in a {@code long}
   */
  long calloc(long count, long size);

  /**
   * Allocates a block with unspecified contents at an aligned address. It is freed like any other.
   *
   * @param size the size in bytes; need not be a multiple of the alignment; zero is allowed
   * @param alignment the alignment in bytes: a positive power of two of at most {@value
   *     #MAX_ALIGNMENT}
   * @return the address of the block, never 0
   * @throws IllegalArgumentException if {@code size} is negative or {@code alignment} is not as
   *     described
   * @throws IllegalStateException if the allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  long alignedAlloc(long size, long alignment);

  /**
   * Allocates a zeroed block at an aligned address. It is freed like any other.
   *
   * @param size the size in bytes; zero is allowed
   * @param alignment the alignment in bytes: a positive power of two of at most {@value
   *     #MAX_ALIGNMENT}
   * @return the address of the block, never 0
   * @throws IllegalArgumentException if {@code size} is negative or {@code alignment} is not as
   *     described
   * @throws IllegalStateException if the allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  long alignedZalloc(long size, long alignment);

  /**
   * Changes the size of a block, moving it when it has to. The bytes up to the smaller of both
   * sizes are kept; bytes past them are unspecified.
   *
   * @param address a live block, or 0 to allocate a new one
   * @param newSize the new size in bytes; zero is allowed and gives a distinct block, it does not
   *     free
   * @return the address of the block, never 0; {@code address} must not be used any more unless it
   *     is the same
   * @throws IllegalArgumentException if {@code newSize} is negative
   * @throws IllegalStateException if the allocator is closed
   * @throws MemoryMisuseException if {@code address} is neither 0 nor a live block
   * @throws NativeMemoryExhaustedError if there is no memory for the new size; {@code address} is
   *     then still live and unchanged
   */
  long realloc(long address, long newSize);

  /**
   * Changes the size of a block so that the result is aligned as asked, moving it when it has to.
   *
   * @param address a live block, or 0 to allocate a new one
   * @param newSize the new size in bytes; zero is allowed
   * @param alignment the alignment of the result in bytes: a positive power of two of at most
   *     {@value #MAX_ALIGNMENT}
   * @return the address of the block, never 0
   * @throws IllegalArgumentException if {@code newSize} is negative or {@code alignment} is not as
   *     described
   * @throws IllegalStateException if the allocator is closed
   * @throws MemoryMisuseException if {@code address} is neither 0 nor a live block
   * @throws NativeMemoryExhaustedError if there is no memory for the new size; {@code address} is
   *     then still live and unchanged
   */
  long alignedRealloc(long address, long newSize, long alignment);

  /**
   * Frees a block. Any thread may free any block.
   *
   * @param address a live block, or 0, which does nothing
   * @throws MemoryMisuseException if {@code address} is neither 0 nor a live block
   * @throws IllegalStateException if the allocator is closed
   */
  void free(long address);

  /**
   * Returns how many bytes a block can hold without moving.
   *
   * @param address a live block
   * @return the size in bytes, at least the size asked for
   * @throws MemoryMisuseException if {@code address} is no live block
   * @throws IllegalStateException if the allocator is closed
   */
  long usableSize(long address);

  /**
   * Returns the usable size that a block of a given size has: asking for that much costs no more
   * memory.
   *
   * @param size a size in bytes
   * @return the size in bytes that {@link #malloc(long)} rounds up to, at least {@code size}
   * @throws IllegalArgumentException if {@code size} is negative
   * @throws NativeMemoryExhaustedError if the rounded size does not fit in a {@code long}
   */
  long goodSize(long size);

  /**
   * Tells whether an address is that of a live block of this allocator.
   *
   * @param address any number
   * @return true if {@link #free(long)} would free a block; false after close; of an allocator
   *     without checks also true for a freed block that is cached for reuse
   */
  boolean owns(long address);
}
