// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

/**
 * An allocator that moves a cursor and reuses nothing: for programs that run for a bounded time in
 * a memory that is thrown away afterwards.
 *
 * <ul>
 *   <li>{@link #free} checks the offset and counts; the memory is not used again.
 *   <li>{@link #realloc} grows the newest block where it is. Any other block moves, and exactly its
 *       old bytes are copied. A shrink keeps the block as it is.
 *   <li>{@link #zalloc} writes no zeros where the memory was made of zeros: the cursor never goes
 *       back, so nobody has written there.
 * </ul>
 *
 * <p>Not safe for use by several threads at once; see {@link #locked()}.
 */
public final class BumpAllocator extends CursorAllocator {

  /**
   * Makes an allocator over a memory from some offset on. No one else may use the memory from there
   * to its present end; what others add to it later stays theirs.
   *
   * @param memory the memory
   * @param heapBase where blocks may begin, as an offset in bytes: behind what a guest has of its
   *     own there. It is rounded up to a multiple of 16, and to at least 16
   * @throws IllegalArgumentException if {@code heapBase} is not in the memory's maximum
   */
  public BumpAllocator(LinearMemory memory, long heapBase) {
    super(memory, heapBase);
  }

  @Override
  boolean mayGrow(long offset) {
    return true;
  }
}
