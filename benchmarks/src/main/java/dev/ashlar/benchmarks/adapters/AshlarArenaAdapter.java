// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.profiles.Ashlar;
import java.lang.foreign.Arena;

/**
 * Ashlar's confined arenas.
 *
 * @param allocator the allocator
 */
public record AshlarArenaAdapter(Allocator allocator) implements ArenaAdapter {

  public static AshlarArenaAdapter create() {
    return new AshlarArenaAdapter(Ashlar.shared());
  }

  @Override
  public Arena newArena() {
    return allocator.newConfinedArena();
  }

  @Override
  public boolean trim() {
    allocator.collect(true);
    return true;
  }
}
