// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import java.util.Arrays;

/**
 * An allocator that moves a cursor and, at a reset, moves it back to a mark: for programs that work
 * in phases and need nothing of a phase when it is over.
 *
 * <p>Marks nest: each begins a scope, and the newest is reset first. Within a scope this is a
 * {@link BumpAllocator}. A reset takes the same time whatever was allocated, unless it poisons.
 *
 * <ul>
 *   <li>A block belongs to the scope in which it was made. One that an inner scope resizes and has
 *       to move belongs to the inner scope from then on.
 *   <li>{@link #zalloc} writes zeros where memory is reused.
 *   <li>An offset of a reset scope is {@code FOREIGN} until it is given out again.
 * </ul>
 *
 * <p>Not safe for use by several threads at once; see {@link #locked()}.
 */
public final class ScopedAllocator extends CursorAllocator {

  /** What poisoned memory is filled with. */
  public static final byte POISON = (byte) 0xDB;

  private final boolean poisons;

  /** For each scope what to go back to; entry 0 is of what lies before the first mark. */
  private long[] cursors = new long[8];

  private long[] skippedBefore = new long[8];
  private int[] bigsBefore = new int[8];

  /** For each scope the bytes in its own freed blocks. */
  private long[] freedIn = new long[8];

  private int depth;

  /**
   * Makes an allocator without a mark.
   *
   * @param memory the memory
   * @param heapBase where blocks may begin, as in {@link BumpAllocator#BumpAllocator}
   * @param poisons whether a reset fills what was given out since its mark with {@link #POISON}
   * @throws IllegalArgumentException if {@code heapBase} is not in the memory's maximum
   */
  public ScopedAllocator(LinearMemory memory, long heapBase, boolean poisons) {
    super(memory, heapBase);
    this.poisons = poisons;
  }

  /**
   * Begins a scope inside the present one.
   *
   * @return the number of the mark: how many there are
   */
  public int mark() {
    int next = depth + 1;
    if (next == cursors.length) {
      int length = 2 * next;
      cursors = Arrays.copyOf(cursors, length);
      skippedBefore = Arrays.copyOf(skippedBefore, length);
      bigsBefore = Arrays.copyOf(bigsBefore, length);
      freedIn = Arrays.copyOf(freedIn, length);
    }
    cursors[next] = cursor;
    skippedBefore[next] = skipped;
    bigsBefore[next] = marks.bigs();
    freedIn[next] = 0;
    depth = next;
    return next;
  }

  /**
   * Ends the newest scope: every block that was made in it is gone.
   *
   * @param mark its number
   * @throws IllegalStateException if {@code mark} is not the newest, or if the memory is closed and
   *     would have to be poisoned; nothing has changed then
   */
  public void reset(int mark) {
    if (mark != depth || mark <= 0) {
      throw new IllegalStateException(
          "mark "
              + mark
              + " cannot be reset: "
              + (depth == 0 ? "there is none" : "the newest is " + depth));
    }
    long from = cursors[mark];
    if (poisons) {
      memory.fill(from, cursor - from, POISON);
    }
    notePeak();
    reached();
    given += cursor - from - (skipped - skippedBefore[mark]);
    freed -= freedIn[mark];
    skipped = skippedBefore[mark];
    cursor = from;
    marks.cutBigs(bigsBefore[mark]);
    depth = mark - 1;
    setLimit();
  }

  /**
   * Returns how many marks there are.
   *
   * @return the number of the newest mark, 0 if there is none
   */
  public int depth() {
    return depth;
  }

  @Override
  public void free(long offset) {
    long before = freed;
    super.free(offset);
    if (freed != before) {
      int scope = depth;
      while (scope > 0 && offset < cursors[scope]) {
        scope--;
      }
      freedIn[scope] += freed - before;
    }
  }

  /** A block of an outer scope must not reach into the newest. */
  @Override
  boolean mayGrow(long offset) {
    return depth == 0 || offset >= cursors[depth];
  }
}
