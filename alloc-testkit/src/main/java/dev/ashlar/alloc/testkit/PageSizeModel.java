// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.VirtualMemory;

/**
 * An operating system with greater OS pages than the real one's. What is no range of its pages is
 * an {@link IllegalArgumentException}, as from any binding; what is used against the contract an
 * {@link AssertionError}. Safe for use by many threads at once.
 */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public final class PageSizeModel extends TrackedMemory {

  private final long osPageBytes;

  /**
   * Makes an operating system.
   *
   * @param real what carries out the calls
   * @param osPageBytes the size of its OS pages, a power of two of at least the real one's
   */
  public PageSizeModel(VirtualMemory real, long osPageBytes) {
    super(real);
    this.osPageBytes = osPageBytes;
  }

  @Override
  public long osPageBytes() {
    return osPageBytes;
  }

  @Override
  public long allocationGranularityBytes() {
    return osPageBytes;
  }
}
