// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

/**
 * Says that a linear memory cannot grow as far as a block would need it, and how it is used. It is
 * the cause of the error that an allocator throws.
 */
public final class GrowthRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The allocator's figures when it asked. */
  private final GuestStats stats;

  GrowthRefusedException(int maximumPages, GuestStats stats) {
    super(
        "the linear memory of at most "
            + maximumPages
            + " linear pages does not grow any more: "
            + stats);
    this.stats = stats;
  }

  /**
   * Returns what the allocator had given out.
   *
   * @return the figures
   */
  public GuestStats stats() {
    return stats;
  }
}
