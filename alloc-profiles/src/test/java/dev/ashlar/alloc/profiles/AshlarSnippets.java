// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The examples of the Javadoc, compiled and run by {@link AshlarTest}. */
final class AshlarSnippets {

  private AshlarSnippets() {}

  static void firstUse() {
    // @start region="first-use"
    Allocator allocator = Ashlar.shared();

    // Segments: bounds-checked, freed one at a time.
    MemorySegment block = allocator.allocate(64);
    block.set(JAVA_LONG, 0, 42);
    allocator.free(block);

    // Raw addresses: the malloc family.
    RawAllocator raw = allocator.raw();
    long address = raw.malloc(64);
    raw.free(address);

    // Arenas: everything is freed at the end of the block.
    try (Arena arena = allocator.newConfinedArena()) {
      arena.allocate(JAVA_LONG, 100);
    }
    // @end
  }
}
