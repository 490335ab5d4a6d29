// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

/**
 * An allocator as the workloads see it.
 *
 * <p>Each process measures one adapter. Adapters are records, whose fields the compiler takes for
 * constants, so that an adapter in a {@code static final} field folds away.
 */
public sealed interface AllocatorAdapter permits AddressAdapter, ObjectAdapter, ArenaAdapter {

  /** Prepares the calling platform thread, for allocators that want that. */
  default void enterThread() {}

  /** Tells that the calling platform thread ends, for allocators that want that. */
  default void leaveThread() {}

  /**
   * Asks the allocator to give memory back, by the call that it offers.
   *
   * @return true if it offers one
   */
  default boolean trim() {
    return false;
  }
}
