// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.ScopedArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A scoped arena over an allocator's memory. Each mark opens a confined arena of the JDK, which
 * gives the scope and its checks; the memory is that of {@link ScopedChunks}.
 */
final class ChunkedScopedArena implements ScopedArena {

  /** What poisoned memory is filled with. */
  static final byte POISON = (byte) 0xDB;

  private final Thread owner = Thread.currentThread();
  private final ScopedChunks chunks;
  private final OpenArenas open;
  private final boolean poisons;

  /** The scope of each mark; the first is that of the arena itself. */
  private Arena[] scopes = new Arena[8];

  /** The memory of the process in each scope. */
  private MemorySegment[] spaces = new MemorySegment[8];

  /** The last of {@link #spaces}. */
  private MemorySegment space;

  private volatile int depth;

  ChunkedScopedArena(RawFace raw, OpenArenas open, boolean poisons) {
    this.chunks = new ScopedChunks(raw);
    this.open = open;
    this.poisons = poisons;
    this.scopes[0] = Arena.ofConfined();
    this.spaces[0] = ProcessView.in(scopes[0]);
    this.space = spaces[0];
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    HeapEngine.checkSize(byteSize);
    HeapEngine.checkAlignment(byteAlignment);
    checkUsable();
    long address = chunks.take(byteSize, byteAlignment);
    return ProcessView.slice(space, address, byteSize).fill((byte) 0);
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
    chunks.prepareMark(mark);
    Arena scope = Arena.ofConfined();
    MemorySegment inScope = ProcessView.in(scope);
    chunks.mark(mark);
    scopes[mark] = scope;
    spaces[mark] = inScope;
    space = inScope;
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
    space = spaces[mark - 1];
    depth = mark - 1;
    if (poisons) {
      chunks.poison(mark, POISON);
    }
    chunks.reset(mark);
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public MemorySegment.Scope scope() {
    return space.scope();
  }

  @Override
  public void close() {
    while (depth > 0) {
      reset(depth);
    }
    scopes[0].close();
    try {
      chunks.freeAll();
    } finally {
      open.close();
    }
  }
}
