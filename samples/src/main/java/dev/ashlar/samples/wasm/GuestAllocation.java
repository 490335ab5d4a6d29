// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.wasm;

import dev.ashlar.alloc.wasm.BumpAllocator;
import dev.ashlar.alloc.wasm.ReclaimingAllocator;
import dev.ashlar.alloc.wasm.ScopedAllocator;
import dev.ashlar.integrations.chicory.GuestMalloc;
import java.util.Locale;

/** How a guest's memory is allocated. */
public enum GuestAllocation {
  /** Nothing is reused. */
  BUMP,
  /** Each block is reused. */
  RECLAIMING,
  /** Everything of a phase is reused when it is over. */
  SCOPED;

  GuestMalloc malloc() {
    return new GuestMalloc(
        switch (this) {
          case BUMP -> BumpAllocator::new;
          case RECLAIMING -> ReclaimingAllocator::new;
          case SCOPED -> (memory, heapBase) -> new ScopedAllocator(memory, heapBase, false);
        });
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
