// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/**
 * What is known of a slice's memory.
 *
 * <pre>
 *   RESERVED --commit--> ZERO --handed out--> DIRTY --decommit--> RESERVED
 * </pre>
 *
 * <p>A state is a property of the slice, not of the span it is in, so splitting and coalescing
 * spans keeps it exact.
 */
public final class SliceState {

  /** Not committed: to be committed before use, and zero then. */
  public static final byte RESERVED = 0;

  /** Committed and never handed out since: every byte is zero. */
  public static final byte ZERO = 1;

  /** Committed, contents unknown. */
  public static final byte DIRTY = 2;

  private SliceState() {}
}
