// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

/** How an allocator gives memory back to the operating system that has been free for a while. */
public enum PurgeMode {

  /** The operating system takes the memory at once. Resident memory falls. */
  DECOMMIT,

  /**
   * The operating system takes the memory when it is short of it. Taking it into use again is
   * cheaper while it has not been taken; resident and committed memory fall only then, or not at
   * all. Where the operating system cannot do that, this is {@link #DECOMMIT}.
   */
  RESET,

  /** Free memory is kept until it is asked for, or the allocator closes. */
  NEVER
}
