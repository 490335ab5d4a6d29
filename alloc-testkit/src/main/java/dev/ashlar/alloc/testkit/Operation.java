// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

/**
 * One step of an {@link OperationProgram}.
 *
 * <p>A {@code pick} is any number not below zero; it means the live block, or open arena, at that
 * position counted round and round, so that it is valid whatever the steps before did. A step whose
 * pick finds nothing does nothing. {@code elsewhere} steps are made by another thread.
 */
public sealed interface Operation {

  /** The ways to allocate. */
  enum Allocation {
    /** {@code malloc}; the alignment is ignored. */
    MALLOC,
    /** {@code zalloc}; the alignment is ignored. */
    ZALLOC,
    /** {@code calloc} of elements as large as the alignment, the last one cut off. */
    CALLOC,
    /** {@code alignedAlloc}. */
    ALIGNED_ALLOC,
    /** {@code alignedZalloc}. */
    ALIGNED_ZALLOC,
    /** {@code realloc} of address 0; the alignment is ignored. */
    REALLOC,
    /** {@code allocate} of a segment. */
    SEGMENT,
    /** {@code allocateZeroed} of a segment. */
    ZEROED_SEGMENT,
    /** {@code tryAllocate} of a segment. */
    TRIED_SEGMENT
  }

  /** The ways to change a size. */
  enum Resizing {
    /** {@code realloc}; the alignment is ignored. */
    REALLOC,
    /** {@code alignedRealloc}. */
    ALIGNED_REALLOC,
    /** {@code reallocate} of a segment; the alignment is ignored. */
    SEGMENT,
    /** {@code reallocate} of a segment to an alignment. */
    ALIGNED_SEGMENT
  }

  /** The addresses a program hands in though they are no live block. */
  enum Wrong {
    /** A live block is freed, then handed in again at once. */
    FREED,
    /** A place inside a live block. */
    INSIDE,
    /** A number that is no address of the allocator. */
    FOREIGN
  }

  /** Arguments that every allocator refuses. */
  enum Refusal {
    /** A size below zero. */
    NEGATIVE_SIZE,
    /** An alignment that is no positive power of two, or too great. */
    BAD_ALIGNMENT,
    /** A size no memory can hold. */
    IMPOSSIBLE_SIZE,
    /** A count and a size whose product wraps. */
    WRAPPING_PRODUCT
  }

  /**
   * Allocates a block.
   *
   * @param how by which method
   * @param size its size
   * @param alignment its alignment, for the methods that take one
   * @param elsewhere whether another thread calls
   */
  record Allocate(Allocation how, long size, long alignment, boolean elsewhere)
      implements Operation {}

  /**
   * Changes the size of a block.
   *
   * @param how by which method
   * @param pick which block
   * @param size its new size
   * @param alignment its new alignment, for the methods that take one
   * @param elsewhere whether another thread calls
   */
  record Resize(Resizing how, int pick, long size, long alignment, boolean elsewhere)
      implements Operation {}

  /**
   * Frees a block.
   *
   * @param pick which block
   * @param asSegment whether the segment face is called
   * @param elsewhere whether another thread calls
   */
  record Free(int pick, boolean asSegment, boolean elsewhere) implements Operation {}

  /**
   * Hands in an address that is no live block, to every method that takes one.
   *
   * @param what which address
   * @param pick which block it is made from
   * @param offset how far inside, counted round, for {@link Wrong#INSIDE}, or any number, for
   *     {@link Wrong#FOREIGN}
   */
  record Misuse(Wrong what, int pick, long offset) implements Operation {}

  /**
   * Asks for what every allocator refuses.
   *
   * @param what why it is refused
   * @param pick a block that is to be resized in the same way, if there is one
   */
  record Refuse(Refusal what, int pick) implements Operation {}

  /**
   * Opens an arena.
   *
   * @param shared whether any thread may use it
   */
  record OpenArena(boolean shared) implements Operation {}

  /**
   * Allocates from an open arena.
   *
   * @param pick which arena
   * @param size the size
   * @param alignment the alignment
   */
  record AllocateInArena(int pick, long size, long alignment) implements Operation {}

  /**
   * Closes an arena.
   *
   * @param pick which arena
   */
  record CloseArena(int pick) implements Operation {}

  /** Compares everything that is live, and the counters, with the model. */
  record Check() implements Operation {}
}
