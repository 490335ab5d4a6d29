// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.testkit.SharedArenaContract;
import java.lang.foreign.Arena;

/** A shared arena of an allocator can take the place of the JDK's. */
class HeapSharedArenaTest extends SharedArenaContract {

  private final Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults());

  @Override
  protected Arena newArena() {
    return allocator.newSharedArena();
  }

  @Override
  protected void checkInvariants() {
    AllocatorInvariants.check(allocator);
    assertThat(allocator.stats().liveBlocks()).as("live blocks").isZero();
    allocator.close();
  }
}
