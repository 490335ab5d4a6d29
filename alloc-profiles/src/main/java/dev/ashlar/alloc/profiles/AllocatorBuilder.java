// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.heap.AllocatorOptions;
import dev.ashlar.alloc.heap.HeapAllocator;

/**
 * Builds allocators. Each has heaps, segments and settings of its own: it shares no memory with any
 * other, and closing it gives back all it had.
 *
 * <p>A builder is for one thread; it can build several allocators.
 */
public final class AllocatorBuilder {

  private AllocatorOptions options = AllocatorOptions.defaults();

  AllocatorBuilder() {}

  /**
   * Sets what the allocator is called in messages.
   *
   * @param name the name; "ashlar" if it is not set
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is blank
   */
  public AllocatorBuilder name(String name) {
    options = options.withName(name);
    return this;
  }

  /**
   * Sets whether frees are checked.
   *
   * <p>With checks, which is the default, freeing what is no live block throws {@link
   * dev.ashlar.alloc.api.MemoryMisuseException} and does nothing. They cost a byte for each 16
   * bytes of memory in use, and time that is in the benchmark tables. Without them, a double free
   * may give one block to two users; some misuse is still found, later.
   *
   * @param checks whether to check
   * @return this builder
   */
  public AllocatorBuilder checks(boolean checks) {
    options = options.withChecks(checks);
    return this;
  }

  /**
   * Opens an allocator with what has been set.
   *
   * @return an open allocator
   * @throws NativeMemoryExhaustedError if this process has too many open allocators
   */
  public Allocator build() {
    return HeapAllocator.open(options);
  }
}
