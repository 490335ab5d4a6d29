// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

/**
 * An allocator as the index uses it: blocks of off-heap memory known by their address, allocated,
 * resized and freed one at a time by one thread.
 *
 * <p>The index numbers its blocks by <em>slot</em>. An allocator whose handles are objects keeps
 * them in an array by slot; one whose handles are addresses ignores it.
 */
public interface BlockStore extends AutoCloseable {

  /**
   * Allocates a block with unspecified contents.
   *
   * @param slot an unused slot
   * @param bytes its size in bytes, at least 1
   * @return its address
   */
  long allocate(int slot, long bytes);

  /**
   * Changes the size of a block, keeping the bytes up to the smaller of both sizes.
   *
   * @param slot the block's slot
   * @param address its address
   * @param oldBytes its size in bytes
   * @param newBytes the size that it gets, in bytes, at least 1
   * @return its address from now on
   */
  long reallocate(int slot, long address, long oldBytes, long newBytes);

  /**
   * Frees a block; its slot is unused again.
   *
   * @param slot the block's slot
   * @param address its address
   */
  void free(int slot, long address);

  /** Gives back what the allocator holds. All blocks have been freed. */
  @Override
  void close();
}
