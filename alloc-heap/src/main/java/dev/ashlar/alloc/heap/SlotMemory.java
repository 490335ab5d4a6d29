// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import dev.ashlar.alloc.segment.SpanAllocator;

/** Commits and decommits the memory of slots for one allocator. */
final class SlotMemory {

  private static final long SLOT_BYTES = 1L << Magazines.SLOT_SHIFT;

  private final VirtualMemory memory;
  private final SpanAllocator spans;

  SlotMemory(VirtualMemory memory, SpanAllocator spans) {
    this.memory = memory;
    this.spans = spans;
  }

  /**
   * Commits a chunk of slots, which then read as zero.
   *
   * @throws NativeMemoryExhaustedError if the operating system refuses
   */
  void commit(long chunk) {
    try {
      memory.commit(chunk, HeapTable.CHUNK_BYTES);
    } catch (VirtualMemoryException e) {
      throw new NativeMemoryExhaustedError(
          HeapTable.CHUNK_BYTES, spans.liveBytes(), Long.MAX_VALUE, "operating system", e);
    }
  }

  /** Gives up the backing of one slot, where that leaves it usable. */
  void vacate(long slot) {
    if (memory.capabilities().decommitKeepsAccess()) {
      try {
        memory.decommit(slot, SLOT_BYTES);
      } catch (VirtualMemoryException e) {
        spans.countRefusedPurge();
      }
    }
  }

  /** Decommits a chunk for whoever gets it next and counts on zeros. */
  void decommit(long chunk) {
    try {
      memory.decommit(chunk, HeapTable.CHUNK_BYTES);
    } catch (VirtualMemoryException e) {
      spans.countRefusedPurge();
      RawMemory.fill(chunk, HeapTable.CHUNK_BYTES, (byte) 0);
    }
  }

  /** Makes the error for address space that is not there. */
  NativeMemoryExhaustedError noAddressSpace(long wanted) {
    return new NativeMemoryExhaustedError(
        wanted, spans.liveBytes(), ProcessSpace.SLOTS.bytes(), "address space", null);
  }
}
