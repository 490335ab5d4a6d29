// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * A heap of its own inside an {@link Allocator}, held by one thread: its blocks can be visited, and
 * all be freed at once.
 *
 * <p>Blocks of a heap are blocks of its allocator. Any thread may use them, and free them through
 * the allocator; the methods here are for the thread that made the heap. That thread frees what is
 * this heap's fastest through {@link #free}.
 *
 * <p>A heap ends in one of two ways. {@link #delete} lets its blocks live on, as blocks of the
 * allocator. {@link #destroy} frees every one of them. Both are for the thread that made the heap,
 * and for any thread once that one has ended. A heap whose thread has ended without either stays
 * until its allocator closes: its blocks stay live and can be freed through the allocator.
 *
 * <p><b>Threads.</b> Except where it says so, a method throws {@link WrongThreadException} in any
 * thread but the one that made the heap. All sizes and alignments are in bytes.
 *
 * @implSpec A call that throws leaves every live block and every counter as it was.
 */
public interface Heap extends SegmentAllocator, AutoCloseable {

  /** Sees the live blocks of a heap one after the other. */
  @FunctionalInterface
  interface BlockVisitor {

    /**
     * Sees a block.
     *
     * @param address where it begins
     * @param usableSize how many bytes it can hold
     */
    void visit(long address, long usableSize);
  }

  /**
   * Allocates a block of this heap with unspecified contents.
   *
   * @param byteSize the size in bytes; zero is allowed
   * @return a segment of exactly {@code byteSize} bytes, aligned to {@value
   *     RawAllocator#MIN_ALIGNMENT} bytes
   * @throws IllegalArgumentException if {@code byteSize} is negative
   * @throws IllegalStateException if this heap or its allocator is closed
   * @throws WrongThreadException if the calling thread has not made this heap
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  @Override
  MemorySegment allocate(long byteSize);

  /**
   * Allocates a block of this heap with unspecified contents at an aligned address.
   *
   * @param byteSize the size in bytes; zero is allowed
   * @param byteAlignment the alignment in bytes: a positive power of two of at most {@value
   *     RawAllocator#MAX_ALIGNMENT}
   * @return a segment of exactly {@code byteSize} bytes
   * @throws IllegalArgumentException if {@code byteSize} is negative or {@code byteAlignment} is
   *     not as described
   * @throws IllegalStateException if this heap or its allocator is closed
   * @throws WrongThreadException if the calling thread has not made this heap
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  @Override
  MemorySegment allocate(long byteSize, long byteAlignment);

  /**
   * Allocates a block of this heap whose bytes are zero, at an aligned address.
   *
   * @param byteSize the size in bytes; zero is allowed
   * @param byteAlignment the alignment in bytes: a positive power of two of at most {@value
   *     RawAllocator#MAX_ALIGNMENT}
   * @return a zeroed segment of exactly {@code byteSize} bytes
   * @throws IllegalArgumentException if {@code byteSize} is negative or {@code byteAlignment} is
   *     not as described
   * @throws IllegalStateException if this heap or its allocator is closed
   * @throws WrongThreadException if the calling thread has not made this heap
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  MemorySegment allocateZeroed(long byteSize, long byteAlignment);

  /**
   * Changes the size of a block of this heap, moving it when it has to. The first {@code
   * min(block.byteSize(), newByteSize)} bytes are kept; {@code block} must not be used afterwards.
   *
   * @param block a live block of this heap
   * @param newByteSize the new size in bytes; zero is allowed
   * @param byteAlignment the alignment of the result in bytes: a positive power of two of at most
   *     {@value RawAllocator#MAX_ALIGNMENT}
   * @return a segment of exactly {@code newByteSize} bytes, a block of this heap
   * @throws IllegalArgumentException if {@code newByteSize} is negative or {@code byteAlignment} is
   *     not as described
   * @throws IllegalStateException if this heap or its allocator is closed
   * @throws WrongThreadException if the calling thread has not made this heap
   * @throws MemoryMisuseException if {@code block} is no live block of this heap
   * @throws NativeMemoryExhaustedError if there is no memory for the new size; {@code block} is
   *     then still live and unchanged
   */
  MemorySegment reallocate(MemorySegment block, long newByteSize, long byteAlignment);

  /**
   * Frees a block of this heap.
   *
   * @param block a live block of this heap
   * @throws MemoryMisuseException if {@code block} is no live block of this heap, of the kind
   *     {@link MemoryMisuseException.Kind#MISMATCHED} if it is another live block of the allocator
   * @throws IllegalStateException if this heap or its allocator is closed
   * @throws WrongThreadException if the calling thread has not made this heap
   */
  void free(MemorySegment block);

  /**
   * Tells whether a segment begins where a live block of this heap begins. For any thread.
   *
   * @param segment any segment, also one of other origin
   * @return true if it does; false after the end of this heap; of an allocator without checks also
   *     true for a freed block that is cached for reuse
   */
  boolean contains(MemorySegment segment);

  /**
   * Returns the malloc family over this heap's blocks: what it allocates is of this heap, and it
   * takes back only that.
   *
   * @return the raw face, the same object at each call; for the thread that made this heap, but for
   *     {@link RawAllocator#owns} and {@link RawAllocator#goodSize}
   */
  RawAllocator raw();

  /**
   * Lets a visitor see each live block of this heap, in no particular order. The visitor may free
   * the block it sees; whether it sees what it allocates meanwhile, or what it frees but has not
   * seen, is not specified.
   *
   * @param visitor sees the blocks
   * @throws IllegalStateException if this heap or its allocator is closed
   * @throws WrongThreadException if the calling thread has not made this heap
   */
  void forEachBlock(BlockVisitor visitor);

  /**
   * Takes in what other threads have freed of this heap, and gives pages that are empty then to the
   * allocator.
   *
   * @param force whether to give up the freed blocks as well that this heap has ready
   * @throws IllegalStateException if this heap or its allocator is closed
   * @throws WrongThreadException if the calling thread has not made this heap
   * @see Allocator#collect
   */
  void collect(boolean force);

  /**
   * Ends this heap and lets its blocks live on: they move to the heap that the calling thread has
   * in the allocator, and are freed through the allocator. A second call does nothing.
   *
   * @throws IllegalStateException if this heap was destroyed or its allocator is closed
   * @throws WrongThreadException if another thread has made this heap and has not ended
   */
  void delete();

  /**
   * Ends this heap and frees all its blocks at once. None of them may be used any more, as after
   * {@link #free}. A second call does nothing.
   *
   * @throws IllegalStateException if this heap was deleted or its allocator is closed
   * @throws WrongThreadException if another thread has made this heap and has not ended
   */
  void destroy();

  /**
   * Ends this heap and lets its blocks live on, as {@link #delete}; does nothing if it has ended,
   * or its allocator has.
   *
   * @throws WrongThreadException if another thread has made this heap and has not ended
   */
  @Override
  void close();
}
