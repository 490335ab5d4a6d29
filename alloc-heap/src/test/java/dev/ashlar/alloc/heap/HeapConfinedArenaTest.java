// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.testkit.ConfinedArenaContract;
import java.lang.foreign.Arena;

/** A confined arena of an allocator can take the place of the JDK's. */
class HeapConfinedArenaTest extends ConfinedArenaContract {

  private final Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults());

  @Override
  protected Arena newArena() {
    return allocator.newConfinedArena();
  }

  @Override
  protected void checkInvariants() {
    AllocatorInvariants.check(allocator);
    assertThat(allocator.stats().liveBlocks()).as("live blocks").isZero();
    allocator.close();
  }
}
