// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import dev.ashlar.alloc.api.ScopedArena;
import dev.ashlar.alloc.profiles.Ashlar;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One scoped arena of Ashlar's, for one thread: what the workloads take for an arena of its own is
 * a mark, to which its close resets. So the newest is closed first.
 *
 * @param phase what the workloads get
 */
public record AshlarScopedAdapter(Phase phase) implements ArenaAdapter {

  /** The newest mark as an arena. */
  record Phase(ScopedArena arena) implements Arena {

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return arena.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    @Override
    public void close() {
      arena.reset(arena.depth());
    }
  }

  public static AshlarScopedAdapter create() {
    return new AshlarScopedAdapter(new Phase(Ashlar.shared().newScopedArena()));
  }

  @Override
  public Arena newArena() {
    phase.arena().mark();
    return phase;
  }
}
