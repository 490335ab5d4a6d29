// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.ScopedArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A scoped arena over a linear memory: a {@link ScopedAllocator} whose blocks are memory segments
 * that die with their scope. Each mark opens a confined arena of the JDK, which gives the scope and
 * its checks.
 *
 * <p>It belongs to the thread that makes it. Addresses are aligned as asked, offsets in the linear
 * memory to at most a linear page.
 */
public final class LinearScopedArena implements ScopedArena {

  private final Thread owner = Thread.currentThread();
  private final NativeLinearMemory memory;
  private final ScopedAllocator allocator;

  /** The scope of each mark; the first is that of the arena itself. */
  private Arena[] scopes = new Arena[8];

  /** All of the linear memory in each scope. */
  private MemorySegment[] spaces = new MemorySegment[8];

  private volatile int depth;

  /**
   * Opens an arena. While it is open, the memory does not close, and has no other one.
   *
   * @param memory a memory over address space of its own: only there can segments be made to die
   *     before the memory does
   * @param heapBase where segments may begin, as an offset in bytes, such as behind what else is in
   *     the memory
   * @param poisons whether a reset fills what was allocated since its mark with {@link
   *     ScopedAllocator#POISON}
   * @throws IllegalArgumentException if {@code heapBase} is not in the memory's maximum, or the
   *     memory is over a segment of the caller's
   * @throws IllegalStateException if the memory is closed or has an open arena
   * @throws WrongThreadException if the memory belongs to another thread
   */
  public LinearScopedArena(NativeLinearMemory memory, long heapBase, boolean poisons) {
    this.memory = memory;
    // The allocator asks what is known to be zero when it allocates, after the last arena's end.
    this.allocator = new ScopedAllocator(memory, heapBase, poisons);
    Arena scope = Arena.ofConfined();
    this.spaces[0] = memory.openArena(scope);
    this.scopes[0] = scope;
  }

  /**
   * Allocates zeroed memory in the newest scope.
   *
   * @param byteSize the size in bytes; zero is allowed
   * @param byteAlignment the alignment of the address in bytes, a positive power of two
   * @return a segment of exactly that size
   * @throws IllegalArgumentException if {@code byteSize} is negative or {@code byteAlignment} is
   *     not as described
   * @throws IllegalStateException if this arena is closed
   * @throws WrongThreadException in another thread than the owner
   * @throws NativeMemoryExhaustedError if the linear memory has no room and cannot grow
   */
  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    long bytes = Requests.blockBytes(byteSize);
    Requests.checkAlignment(byteAlignment);
    checkUsable();
    MemorySegment space = spaces[depth];
    long first = space.address();
    // The memory begins at a linear page: what is beyond that is an alignment of addresses alone,
    // for which there has to be room to move up.
    long spare = byteAlignment <= LinearMemory.PAGE_BYTES ? 0 : byteAlignment;
    long offset =
        allocator.alignedZalloc(
            bytes > GuestAllocator.MAX_END ? bytes : bytes + spare,
            Math.min(byteAlignment, LinearMemory.PAGE_BYTES));
    long address = first + offset + byteAlignment - 1 & -byteAlignment;
    return space.asSlice(address - first, byteSize);
  }

  private void checkUsable() {
    if (Thread.currentThread() != owner) {
      throw new WrongThreadException("the arena is confined to " + owner);
    }
    if (!scopes[0].scope().isAlive()) {
      throw new IllegalStateException("the arena is closed");
    }
  }

  @Override
  public int mark() {
    checkUsable();
    int mark = depth + 1;
    if (mark == scopes.length) {
      scopes = Arrays.copyOf(scopes, 2 * mark);
      spaces = Arrays.copyOf(spaces, 2 * mark);
    }
    Arena scope = Arena.ofConfined();
    spaces[mark] = memory.in(scope);
    scopes[mark] = scope;
    allocator.mark();
    depth = mark;
    return mark;
  }

  @Override
  public void reset(int mark) {
    checkUsable();
    if (mark != depth || mark <= 0) {
      throw new IllegalStateException(
          "mark "
              + mark
              + " cannot be reset: "
              + (depth == 0 ? "there is none" : "the newest is " + depth));
    }
    scopes[mark].close();
    scopes[mark] = null;
    spaces[mark] = null;
    depth = mark - 1;
    allocator.reset(mark);
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public MemorySegment.Scope scope() {
    return spaces[depth].scope();
  }

  /**
   * Counts what this arena holds of the linear memory.
   *
   * @return a snapshot
   * @throws WrongThreadException in another thread than the owner
   * @throws IllegalStateException if this arena is closed
   */
  public GuestStats stats() {
    checkUsable();
    return allocator.stats();
  }

  /**
   * Ends all scopes, the newest first. The memory keeps its size, and can close or have another arena
   * now, which reuses what this one had.
   */
  @Override
  public void close() {
    while (depth > 0) {
      reset(depth);
    }
    scopes[0].close();
    memory.closeArena(allocator.reached());
  }

  @Override
  public String toString() {
    return "LinearScopedArena[" + depth + " marks, " + memory + "]";
  }
}
