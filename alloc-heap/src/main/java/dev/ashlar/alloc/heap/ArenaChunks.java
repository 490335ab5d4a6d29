// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.RawAllocator;
import java.util.Arrays;

/**
 * The memory of one arena: blocks of the allocator that are cut by a moving cursor and all freed at
 * once.
 *
 * <p>Chunks double from {@value #FIRST_BYTES} to {@value #MOST_BYTES} bytes; a request that would
 * waste much of a chunk gets a block of its own and leaves the growth as it is. No request is
 * served from the first bytes of a block, so that no address in an arena is one that {@code free}
 * would take.
 *
 * <p>Not safe for use by several threads at once.
 */
final class ArenaChunks {

  /** The size of the first chunk. */
  static final int FIRST_BYTES = 2 << 10;

  /** The greatest size of a chunk. */
  static final int MOST_BYTES = 64 << 10;

  private static final int HEADER = RawAllocator.MIN_ALIGNMENT;

  private final RawFace raw;
  private long cursor;
  private long end;
  private long nextBytes = FIRST_BYTES;
  private long[] blocks = new long[4];
  private int count;

  ArenaChunks(RawFace raw) {
    this.raw = raw;
  }

  /**
   * Takes some bytes, at least one so that addresses differ. They are aligned like a block even
   * when less is asked for, as the JDK's arenas do: programs write longs into what {@code
   * allocate(8)} gives.
   */
  long take(long size, long requestedAlignment) {
    long alignment = Math.max(requestedAlignment, RawAllocator.MIN_ALIGNMENT);
    long start = cursor + alignment - 1 & -alignment;
    long bytes = Math.max(size, 1);
    if (bytes <= end - start) {
      cursor = start + bytes;
      return start;
    }
    return takeAnew(bytes, alignment);
  }

  private long takeAnew(long bytes, long alignment) {
    if (count == blocks.length) {
      blocks = Arrays.copyOf(blocks, 2 * count);
    }
    // What is skipped at the beginning keeps the alignment.
    long skipped = Math.max(HEADER, alignment);
    if (bytes > nextBytes / 4 || skipped > nextBytes / 4) {
      if (bytes > Long.MAX_VALUE - skipped) {
        throw raw.slow().exhausted(bytes);
      }
      long block = raw.alignedAlloc(skipped + bytes, alignment);
      blocks[count++] = block;
      return block + skipped;
    }
    long block = raw.alignedAlloc(nextBytes, alignment);
    blocks[count++] = block;
    end = block + nextBytes;
    long start = block + skipped;
    cursor = start + bytes;
    nextBytes = Math.min(2 * nextBytes, MOST_BYTES);
    return start;
  }

  /**
   * Frees everything.
   *
   * @throws MemoryMisuseException without checks, when freeing brings to light that another block
   *     was freed twice; everything of this arena is free then
   */
  void freeAll() {
    cursor = 0;
    end = 0;
    MemoryMisuseException found = null;
    while (count > 0) {
      try {
        raw.free(blocks[--count]);
      } catch (MemoryMisuseException e) {
        found = e;
      }
    }
    if (found != null) {
      throw found;
    }
  }
}
