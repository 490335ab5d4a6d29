// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** An arena of the {@link SimpleAllocator}: a scope of the JDK around blocks of the allocator. */
final class SimpleArena implements Arena {

  private final SimpleAllocator allocator;
  private final Arena scope;
  private final Thread owner;
  private final List<Long> blocks = new ArrayList<>();

  /** Makes an arena; {@code owner} is null if any thread may use it. */
  SimpleArena(SimpleAllocator allocator, Arena scope, Thread owner) {
    this.allocator = allocator;
    this.scope = scope;
    this.owner = owner;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (owner != null && owner != Thread.currentThread()) {
      throw new WrongThreadException("the arena is confined to " + owner);
    }
    synchronized (allocator) {
      if (!scope.scope().isAlive()) {
        throw new IllegalStateException("the arena is closed");
      }
      long address = allocator.take(byteSize, byteAlignment, true, true);
      blocks.add(address);
      return RawMemory.wrap(address, byteSize, scope);
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return scope.scope();
  }

  @Override
  public void close() {
    scope.close();
    synchronized (allocator) {
      blocks.forEach(allocator::give);
      allocator.openArenas--;
    }
  }
}
