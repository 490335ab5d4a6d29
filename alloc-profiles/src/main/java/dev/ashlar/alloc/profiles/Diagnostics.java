// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.heap.AllocatorInvariants;

/** Looks into allocators, for tests and for those who search for damage. */
public final class Diagnostics {

  private Diagnostics() {}

  /**
   * Walks everything that an allocator holds and compares it with itself: segments, spans, pages,
   * heaps, what is cached, counters and marks. It takes time in proportion to what is reserved. No
   * other thread may be inside the allocator meanwhile.
   *
   * @param allocator an open allocator of this library
   * @throws IllegalArgumentException if the allocator is not of this library
   * @throws IllegalStateException if the allocator is closed
   * @throws AssertionError if something does not agree, saying what
   */
  public static void check(Allocator allocator) {
    AllocatorInvariants.check(allocator);
  }
}
