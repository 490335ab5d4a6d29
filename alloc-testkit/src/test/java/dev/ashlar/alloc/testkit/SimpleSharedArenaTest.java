// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.lang.foreign.Arena;

/** The contract of shared arenas can be kept by an arena that is not the JDK's. */
class SimpleSharedArenaTest extends SharedArenaContract {

  private final SimpleAllocator allocator = new SimpleAllocator();

  @Override
  protected Arena newArena() {
    return allocator.newSharedArena();
  }

  @Override
  protected void checkInvariants() {
    allocator.close();
  }
}
