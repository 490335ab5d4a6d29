// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/**
 * A thread-safe allocator of off-heap memory segments that are freed one at a time.
 *
 * <p>A segment returned by this interface has exactly the requested size, is disjoint from every
 * other live segment, may be used and freed by any thread, and stays accessible until the allocator
 * closes. Its memory is at least {@value RawAllocator#MIN_ALIGNMENT}-byte aligned.
 *
 * <p><b>Contents.</b> {@link #allocate(long)} and {@link #allocate(long, long)} leave the memory as
 * it is: it may hold bytes of an earlier block. Use {@link #allocateZeroed(long)} for zeros. The
 * arenas made here zero their memory, as the arenas of the JDK do.
 *
 * <p><b>After free.</b> A freed segment must not be used. The scope of a freed segment is still
 * alive, because it is the allocator's, so Java does not stop such an access: it reads or writes
 * memory that may belong to another block.
 *
 * <p>All sizes and alignments are in bytes.
 *
 * @implSpec Implementations are safe for use by many threads at once. A call that throws leaves
 *     every live block and every counter as it was.
 */
public interface Allocator extends SegmentAllocator, AutoCloseable {

  /**
   * Allocates a block with unspecified contents.
   *
   * @param byteSize the size in bytes; a zero size gives a distinct, non-null, freeable segment of
   *     zero length
   * @return a segment of exactly {@code byteSize} bytes, aligned to {@value
   *     RawAllocator#MIN_ALIGNMENT} bytes
   * @throws IllegalArgumentException if {@code byteSize} is negative
   * @throws IllegalStateException if this allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  @Override
  MemorySegment allocate(long byteSize);

  /**
   * Allocates a block with unspecified contents at an aligned address.
   *
   * @param byteSize the size in bytes; zero is allowed
   * @param byteAlignment the alignment in bytes: a positive power of two of at most {@value
   *     RawAllocator#MAX_ALIGNMENT}
   * @return a segment of exactly {@code byteSize} bytes
   * @throws IllegalArgumentException if {@code byteSize} is negative or {@code byteAlignment} is
   *     not as described
   * @throws IllegalStateException if this allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  @Override
  MemorySegment allocate(long byteSize, long byteAlignment);

  /**
   * Allocates a block whose bytes are zero.
   *
   * @param byteSize the size in bytes; zero is allowed
   * @return a zeroed segment of exactly {@code byteSize} bytes
   * @throws IllegalArgumentException if {@code byteSize} is negative
   * @throws IllegalStateException if this allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  default MemorySegment allocateZeroed(long byteSize) {
    return allocateZeroed(byteSize, 1);
  }

  /**
   * Allocates a block whose bytes are zero, at an aligned address.
   *
   * @param byteSize the size in bytes; zero is allowed
   * @param byteAlignment the alignment in bytes: a positive power of two of at most {@value
   *     RawAllocator#MAX_ALIGNMENT}
   * @return a zeroed segment of exactly {@code byteSize} bytes
   * @throws IllegalArgumentException if {@code byteSize} is negative or {@code byteAlignment} is
   *     not as described
   * @throws IllegalStateException if this allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for the block
   */
  MemorySegment allocateZeroed(long byteSize, long byteAlignment);

  /**
   * Allocates a block with unspecified contents, or says that there is no memory for it.
   *
   * @param byteSize the size in bytes; zero is allowed
   * @return a segment of exactly {@code byteSize} bytes, or empty where {@link #allocate(long)}
   *     would throw {@link NativeMemoryExhaustedError}
   * @throws IllegalArgumentException if {@code byteSize} is negative
   * @throws IllegalStateException if this allocator is closed
   */
  default Optional<MemorySegment> tryAllocate(long byteSize) {
    return tryAllocate(byteSize, 1);
  }

  /**
   * Allocates a block with unspecified contents at an aligned address, or says that there is no
   * memory for it.
   *
   * @param byteSize the size in bytes; zero is allowed
   * @param byteAlignment the alignment in bytes: a positive power of two of at most {@value
   *     RawAllocator#MAX_ALIGNMENT}
   * @return a segment of exactly {@code byteSize} bytes, or empty where {@link #allocate(long,
   *     long)} would throw {@link NativeMemoryExhaustedError}
   * @throws IllegalArgumentException if {@code byteSize} is negative or {@code byteAlignment} is
   *     not as described
   * @throws IllegalStateException if this allocator is closed
   */
  default Optional<MemorySegment> tryAllocate(long byteSize, long byteAlignment) {
    try {
      return Optional.of(allocate(byteSize, byteAlignment));
    } catch (NativeMemoryExhaustedError e) {
      return Optional.empty();
    }
  }

  /**
   * Changes the size of a block, moving it when it has to.
   *
   * <p>The first {@code min(block.byteSize(), newByteSize)} bytes are kept; bytes past them are
   * unspecified. {@code block} must not be used afterwards, also when its address stays the same.
   *
   * @param block a live block of this allocator
   * @param newByteSize the new size in bytes; zero is allowed and gives a zero-length block
   * @return a segment of exactly {@code newByteSize} bytes
   * @throws IllegalArgumentException if {@code newByteSize} is negative
   * @throws IllegalStateException if this allocator is closed
   * @throws MemoryMisuseException if {@code block} is no live block of this allocator
   * @throws NativeMemoryExhaustedError if there is no memory for the new size; {@code block} is
   *     then still live and unchanged
   */
  default MemorySegment reallocate(MemorySegment block, long newByteSize) {
    return reallocate(block, newByteSize, 1);
  }

  /**
   * Changes the size of a block so that the result is aligned as asked, moving it when it has to.
   *
   * @param block a live block of this allocator
   * @param newByteSize the new size in bytes; zero is allowed and gives a zero-length block
   * @param byteAlignment the alignment of the result in bytes: a positive power of two of at most
   *     {@value RawAllocator#MAX_ALIGNMENT}
   * @return a segment of exactly {@code newByteSize} bytes
   * @throws IllegalArgumentException if {@code newByteSize} is negative or {@code byteAlignment} is
   *     not as described
   * @throws IllegalStateException if this allocator is closed
   * @throws MemoryMisuseException if {@code block} is no live block of this allocator
   * @throws NativeMemoryExhaustedError if there is no memory for the new size; {@code block} is
   *     then still live and unchanged
   * @see #reallocate(MemorySegment, long)
   */
  MemorySegment reallocate(MemorySegment block, long newByteSize, long byteAlignment);

  /**
   * Frees a block. Any thread may free any block.
   *
   * <p>A block is told by its address, so a slice that begins where the block begins frees the
   * whole block.
   *
   * @param block a live block of this allocator
   * @throws MemoryMisuseException if {@code block} is no live block of this allocator
   * @throws IllegalStateException if this allocator is closed
   */
  void free(MemorySegment block);

  /**
   * Returns how many bytes a block can hold without moving.
   *
   * @param block a live block of this allocator
   * @return the size in bytes, at least the size asked for
   * @throws MemoryMisuseException if {@code block} is no live block of this allocator
   * @throws IllegalStateException if this allocator is closed
   */
  long usableSize(MemorySegment block);

  /**
   * Tells whether a segment begins where a live block of this allocator begins.
   *
   * @param segment any segment, also one of other origin
   * @return true if {@link #free(MemorySegment)} would take it; false after close; of an allocator
   *     without checks also true for a freed block that is cached for reuse
   */
  boolean owns(MemorySegment segment);

  /**
   * Makes an arena over this allocator's memory for the calling thread alone.
   *
   * <p>It keeps every promise of {@link Arena#ofConfined()}; its segments are zeroed, they die when
   * it closes, and its memory is then reused by this allocator.
   *
   * @return an open arena owned by the calling thread, whose segments are at least {@value
   *     RawAllocator#MIN_ALIGNMENT}-byte aligned
   * @throws IllegalStateException if this allocator is closed
   */
  Arena newConfinedArena();

  /**
   * Makes an arena over this allocator's memory for any thread.
   *
   * <p>It keeps every promise of {@link Arena#ofShared()}; its segments are zeroed, they die when
   * it closes, and its memory is then reused by this allocator.
   *
   * @return an open arena that any thread may use and close, whose segments are at least {@value
   *     RawAllocator#MIN_ALIGNMENT}-byte aligned
   * @throws IllegalStateException if this allocator is closed
   */
  Arena newSharedArena();

  /**
   * Makes a heap of its own for the calling thread: its blocks are kept apart from all others, and
   * can be visited and be freed at once.
   *
   * <p>It costs some kilobytes besides its pages, at least one for each size of blocks in use.
   *
   * @return an open heap that only the calling thread may allocate from
   * @throws IllegalStateException if this allocator is closed
   * @throws NativeMemoryExhaustedError if there is no memory for it
   */
  Heap newHeap();

  /**
   * Gives up what the calling thread's heap keeps ready for reuse, for other threads to use: freed
   * blocks go back to their pages, and empty pages to the allocator. The operating system gets it
   * in the allocator's own time; see {@link #collect}.
   *
   * <p>A thread without a heap, such as a virtual thread, has nothing to give up.
   *
   * @throws IllegalStateException if this allocator is closed
   */
  void trim();

  /**
   * Takes in what other threads have freed of the heaps within reach, and gives pages that are
   * empty then back. Within reach are the heaps of the calling thread, those of threads that have
   * ended, and those that threads share; heaps of other threads are left alone.
   *
   * @param force whether to give up the freed blocks as well that these heaps have ready, and to
   *     give all free memory to the operating system before returning
   * @return how many bytes the operating system got, 0 without {@code force}
   * @throws IllegalStateException if this allocator is closed
   */
  long collect(boolean force);

  /**
   * Makes an arena over this allocator's memory for the calling thread alone that can be reset to
   * marks.
   *
   * @param poisons whether a reset overwrites what was allocated since its mark, so that whoever
   *     still uses it by its address finds bytes that make no sense
   * @return an open arena owned by the calling thread, whose segments are at least {@value
   *     RawAllocator#MIN_ALIGNMENT}-byte aligned
   * @throws IllegalStateException if this allocator is closed
   * @throws UnsupportedOperationException if this kind of allocator has no such arenas
   */
  default ScopedArena newScopedArena(boolean poisons) {
    throw new UnsupportedOperationException(this + " has no scoped arenas");
  }

  /**
   * Makes an arena that can be reset to marks and does not poison.
   *
   * @return an open arena owned by the calling thread
   * @throws IllegalStateException if this allocator is closed
   * @throws UnsupportedOperationException if this kind of allocator has no such arenas
   */
  default ScopedArena newScopedArena() {
    return newScopedArena(false);
  }

  /**
   * Returns the malloc family over the same blocks: an address it returns may be freed through this
   * interface and the other way round.
   *
   * @return the raw face, the same object at each call
   */
  RawAllocator raw();

  /**
   * Counts what this allocator holds.
   *
   * @return a snapshot; exact when no other thread is inside this allocator
   */
  AllocatorStats stats();

  /**
   * Closes this allocator: every segment it gave out becomes inaccessible and its memory goes back
   * to the operating system.
   *
   * <p>Raw addresses are not protected by a scope: using one after close may crash the JVM. A
   * second close does nothing.
   *
   * @throws IllegalStateException if arenas made by this allocator are still open, or if a segment
   *     is in use by a native call; nothing has changed then
   * @throws UnsupportedOperationException if this is the process-wide allocator, which cannot be
   *     closed
   */
  @Override
  void close();
}
