// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import java.lang.foreign.Arena;

/** Opens allocators over thread heaps. */
public final class HeapAllocator {

  private HeapAllocator() {}

  /**
   * Opens an allocator.
   *
   * @param options what to build it from
   * @return an open allocator
   * @throws NativeMemoryExhaustedError if there are too many allocators in this process, or the
   *     operating system gives no address space
   */
  @SuppressWarnings("MustBeClosedChecker") // the allocator closes it
  public static Allocator open(AllocatorOptions options) {
    SpaceSize.require();
    HeapEngine engine = new HeapEngine(options);
    try {
      return SegmentFace.over(engine, Arena.ofShared(), true);
    } catch (OutOfMemoryError e) {
      engine.close();
      throw e;
    }
  }

  /**
   * Opens an allocator that cannot be closed.
   *
   * @param options what to build it from
   * @return an open allocator whose close throws {@link UnsupportedOperationException}
   * @throws NativeMemoryExhaustedError if there are too many allocators in this process, or the
   *     operating system gives no address space
   */
  public static Allocator openForever(AllocatorOptions options) {
    SpaceSize.require();
    return SegmentFace.over(new HeapEngine(options), Arena.global(), false);
  }

  /**
   * Returns how much address space all allocators of this process share.
   *
   * @return the size in bytes
   * @throws NativeMemoryExhaustedError if the operating system gives no address space
   */
  public static long reservedBytes() {
    SpaceSize.require();
    return 1L << ProcessSpace.SHIFT;
  }

  /**
   * Returns how many heaps an allocator has at most for threads without a slot.
   *
   * @return the number of heaps
   */
  public static int stripes() {
    return HeapEngine.stripeCount();
  }
}
