// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.heap.AllocatorOptions;
import dev.ashlar.alloc.heap.HeapAllocator;
import dev.ashlar.alloc.prim.VirtualMemory;

/**
 * The entry point: the process-wide allocator, and a builder for others.
 *
 * <p>The three ways to use an allocator:
 *
 * {@snippet class="dev.ashlar.alloc.profiles.AshlarSnippets"
 * region="first-use"}
 */
public final class Ashlar {

  private static final int SHARED_SLOTS = 1024;

  private static boolean spaceIsThere;

  private Ashlar() {}

  /** The holder of the process-wide allocator, which is opened on first use. */
  private static final class Shared {
    static final Allocator INSTANCE =
        HeapAllocator.openForever(
            AllocatorOptions.defaults().withName("shared").withSlots(SHARED_SLOTS));
  }

  /**
   * Returns the process-wide allocator, with default settings. It is never closed, not at shutdown
   * either; its {@link Allocator#close()} throws {@link UnsupportedOperationException}.
   *
   * <p>Fastest when kept in a {@code static final} field, as the compiler then knows all about it.
   *
   * @return the allocator, the same object at each call
   * @throws dev.ashlar.alloc.api.NativeMemoryExhaustedError if the operating system gives no
   *     address space; the next call tries again
   */
  public static Allocator shared() {
    if (!spaceIsThere) {
      // Not in the initialisation of the holder, which would fail for ever.
      HeapAllocator.reservedBytes();
      spaceIsThere = true;
    }
    return Shared.INSTANCE;
  }

  /**
   * Begins to build an allocator of one's own, with default settings.
   *
   * @return a builder
   */
  public static AllocatorBuilder builder() {
    return new AllocatorBuilder();
  }

  /**
   * Reads what the operating system counts as this process's memory.
   *
   * @return the counts
   */
  public static ProcessMemory processMemory() {
    return VirtualMemory.system().processMemory();
  }

  /**
   * Says what the operating system offers and what Ashlar decided from it.
   *
   * @return the facts
   */
  public static Environment environment() {
    return Environment.read(SHARED_SLOTS);
  }
}
