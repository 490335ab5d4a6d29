// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.segment.AddressSpace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The slots of an allocator's explicit heaps: taken from the process's in chunks as they are
 * needed, and used again. Guarded by the lock of the {@link HeapTable}.
 */
final class ExplicitSlots {

  private static final long SLOT_BYTES = 1L << Magazines.SLOT_SHIFT;

  private final SlotMemory memory;
  private final List<Long> chunks = new ArrayList<>();
  private final Deque<Long> free = new ArrayDeque<>();

  ExplicitSlots(SlotMemory memory) {
    this.memory = memory;
  }

  /**
   * Takes a slot, whose magazines are empty.
   *
   * @return its address
   * @throws NativeMemoryExhaustedError if there is no memory or no address space for it
   */
  long take() {
    if (free.isEmpty()) {
      addChunk();
    }
    long slot = free.pop();
    Magazines.initialise(slot);
    return slot;
  }

  private void addChunk() {
    long chunk = ProcessSpace.SLOTS.take(1, HeapTable.CHUNK_BYTES);
    if (chunk == AddressSpace.NO_RUN) {
      throw memory.noAddressSpace(SLOT_BYTES);
    }
    try {
      memory.commit(chunk);
    } catch (NativeMemoryExhaustedError e) {
      ProcessSpace.SLOTS.give(chunk, 1);
      throw e;
    }
    chunks.add(chunk);
    for (long at = HeapTable.CHUNK_BYTES - SLOT_BYTES; at >= 0; at -= SLOT_BYTES) {
      free.push(chunk + at);
    }
  }

  /** Gives a slot back that no heap is bound to any more. */
  void give(long slot) {
    memory.vacate(slot);
    free.push(slot);
  }

  /** Gives all memory back, when nobody can be inside any more. */
  void release() {
    for (long chunk : chunks) {
      memory.decommit(chunk);
      ProcessSpace.SLOTS.give(chunk, 1);
    }
    chunks.clear();
    free.clear();
  }
}
