// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.prim.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * All segments' address space as one memory segment in a scope, to cut blocks from: wrapping a
 * block is then a slice, which the compiler keeps out of the Java heap where it does not escape.
 */
final class ProcessView {

  private ProcessView() {}

  static MemorySegment in(Arena scope) {
    return RawMemory.wrap(ProcessSpace.BASE, 1L << ProcessSpace.SHIFT, scope);
  }

  static MemorySegment slice(MemorySegment space, long address, long bytes) {
    return space.asSlice(address - ProcessSpace.BASE, bytes);
  }
}
