// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Programs that came from the JDK's arenas count on more alignment than they ask for. */
class ArenaAlignmentTest {

  @Test
  void confinedSegmentsTakeLongsWithoutAskingForAlignment() {
    segmentsAreAligned(Allocator::newConfinedArena);
  }

  @Test
  void sharedSegmentsTakeLongsWithoutAskingForAlignment() {
    segmentsAreAligned(Allocator::newSharedArena);
  }

  private static void segmentsAreAligned(Function<Allocator, Arena> open) {
    try (Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults());
        Arena arena = open.apply(allocator)) {
      for (int size = 0; size < 3000; size++) {
        MemorySegment segment = arena.allocate(size);
        assertThat(segment.address() % RawAllocator.MIN_ALIGNMENT).as("%d bytes", size).isZero();
        if (size >= 8) {
          segment.set(ValueLayout.JAVA_LONG, 0, size);
        }
      }
    }
  }
}
