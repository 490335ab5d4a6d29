// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An arena for one thread. The JDK's arena of the same kind gives the scope and its checks; the
 * memory is the allocator's.
 */
final class ConfinedArena implements Arena {

  private final Arena scope = Arena.ofConfined();
  private final Thread owner = Thread.currentThread();
  private final MemorySegment space = ProcessView.in(scope);
  private final ArenaChunks chunks;
  private final OpenArenas open;

  ConfinedArena(RawFace raw, OpenArenas open) {
    this.chunks = new ArenaChunks(raw);
    this.open = open;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    HeapEngine.checkSize(byteSize);
    HeapEngine.checkAlignment(byteAlignment);
    if (Thread.currentThread() != owner) {
      throw new WrongThreadException("the arena is confined to " + owner);
    }
    if (!scope.scope().isAlive()) {
      throw new IllegalStateException("the arena is closed");
    }
    long address = chunks.take(byteSize, byteAlignment);
    return ProcessView.slice(space, address, byteSize).fill((byte) 0);
  }

  @Override
  public MemorySegment.Scope scope() {
    return scope.scope();
  }

  @Override
  public void close() {
    scope.close();
    try {
      chunks.freeAll();
    } finally {
      open.close();
    }
  }
}
