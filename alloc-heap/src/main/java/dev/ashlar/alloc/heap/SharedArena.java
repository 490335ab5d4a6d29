// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An arena for any thread. The JDK's arena of the same kind gives the scope and its checks; the
 * memory is the allocator's, and a lock guards the cursor.
 */
final class SharedArena implements Arena {

  private final Arena scope = Arena.ofShared();
  private final MemorySegment space = ProcessView.in(scope);
  private final ArenaChunks chunks;
  private final OpenArenas open;

  SharedArena(RawFace raw, OpenArenas open) {
    this.chunks = new ArenaChunks(raw);
    this.open = open;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    HeapEngine.checkSize(byteSize);
    HeapEngine.checkAlignment(byteAlignment);
    long address;
    synchronized (chunks) {
      // Close frees the chunks under the same lock, after the scope has died.
      if (!scope.scope().isAlive()) {
        throw new IllegalStateException("the arena is closed");
      }
      address = chunks.take(byteSize, byteAlignment);
    }
    // Outside the lock: if the scope dies now, this throws and touches nothing.
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
      synchronized (chunks) {
        chunks.freeAll();
      }
    } finally {
      open.close();
    }
  }
}
