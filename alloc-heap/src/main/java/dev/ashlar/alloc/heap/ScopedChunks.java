// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import java.util.Arrays;

/**
 * The memory of one scoped arena: blocks of the allocator that are cut by a moving cursor, to which
 * a reset moves back.
 *
 * <pre>
 *   chunks   | 0 | 1 | 2 | 3 | 4 |
 *             in use     ^ used    spare: of scopes that were reset
 * </pre>
 *
 * <p>As in {@link ArenaChunks}, chunks double up to {@link ArenaChunks#MOST_BYTES}, a request that
 * would waste much of one gets a block of its own and leaves the growth as it is, and the first
 * bytes of each block are skipped. A reset only lowers {@link #used}; the chunks behind it serve
 * what comes next. A spare block above the greatest chunk is freed when a request finds none that
 * is large enough, so that phases of growing requests do not pile blocks up.
 *
 * <p>Not safe for use by several threads at once.
 */
final class ScopedChunks {

  private static final int HEADER = RawAllocator.MIN_ALIGNMENT;

  private final RawFace raw;
  private long cursor;
  private long end;
  private long nextBytes = ArenaChunks.FIRST_BYTES;
  private long[] chunks = new long[4];
  private long[] sizes = new long[4];
  private int used;
  private int count;

  /** For each mark the cursor, its end, and how many chunks were used. */
  private long[] cursors = new long[8];

  private long[] ends = new long[8];
  private int[] useds = new int[8];

  ScopedChunks(RawFace raw) {
    this.raw = raw;
  }

  /** Takes some bytes, at least one so that addresses differ, aligned at least like a block. */
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
    for (int i = used; i < count; i++) {
      long start = chunks[i] + HEADER + alignment - 1 & -alignment;
      if (bytes <= chunks[i] + sizes[i] - start) {
        swap(i, used);
        return cutFrom(used++, start, bytes);
      }
    }
    long skipped = Math.max(HEADER, alignment);
    if (bytes > Long.MAX_VALUE - skipped) {
      throw raw.slow().exhausted(bytes);
    }
    boolean own = bytes > nextBytes / 4 || skipped > nextBytes / 4;
    makeRoom();
    freeLargeSpares();
    long size = own ? skipped + bytes : nextBytes;
    long block = raw.alignedAlloc(size, alignment);
    chunks[count] = block;
    sizes[count] = size;
    swap(count++, used);
    if (!own) {
      nextBytes = Math.min(2 * nextBytes, ArenaChunks.MOST_BYTES);
    }
    return cutFrom(used++, block + skipped, bytes);
  }

  /** Cuts the first bytes of a chunk, which is cut further if it has more left than the present. */
  private long cutFrom(int chunk, long start, long bytes) {
    long rest = chunks[chunk] + sizes[chunk] - start - bytes;
    if (rest > end - cursor) {
      cursor = start + bytes;
      end = cursor + rest;
    }
    return start;
  }

  private void makeRoom() {
    if (count == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * count);
      sizes = Arrays.copyOf(sizes, 2 * count);
    }
  }

  private void freeLargeSpares() {
    for (int i = count - 1; i >= used; i--) {
      if (sizes[i] > ArenaChunks.MOST_BYTES) {
        swap(i, --count);
        raw.free(chunks[count]);
      }
    }
  }

  private void swap(int i, int j) {
    long chunk = chunks[i];
    long size = sizes[i];
    chunks[i] = chunks[j];
    sizes[i] = sizes[j];
    chunks[j] = chunk;
    sizes[j] = size;
  }

  /** Makes all that the next mark needs. */
  void prepareMark(int mark) {
    if (mark == cursors.length) {
      cursors = Arrays.copyOf(cursors, 2 * mark);
      ends = Arrays.copyOf(ends, 2 * mark);
      useds = Arrays.copyOf(useds, 2 * mark);
    }
  }

  /** Notes where to go back to. */
  void mark(int mark) {
    cursors[mark] = cursor;
    ends[mark] = end;
    useds[mark] = used;
  }

  /** Goes back to a mark. */
  void reset(int mark) {
    cursor = cursors[mark];
    end = ends[mark];
    used = useds[mark];
  }

  /** Overwrites everything that was or could have been taken since a mark. */
  void poison(int mark, byte value) {
    RawMemory.fill(cursors[mark], ends[mark] - cursors[mark], value);
    for (int i = useds[mark]; i < used; i++) {
      RawMemory.fill(chunks[i], sizes[i], value);
    }
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
    used = 0;
    MemoryMisuseException found = null;
    while (count > 0) {
      try {
        raw.free(chunks[--count]);
      } catch (MemoryMisuseException e) {
        found = e;
      }
    }
    if (found != null) {
      throw found;
    }
  }
}
