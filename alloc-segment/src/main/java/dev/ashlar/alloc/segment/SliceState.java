// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/**
 * What is known of a slice's memory.
 *
 * <pre>
 *             commit         handed out         purged
 *   RESERVED --------> ZERO ------------> DIRTY -------> DECOMMITTED ----.
 *                       ^                 |   ^               ^          |
 *                       |          purged |   | commit, and   | purged   |
 *                       |                 v   | handed out    |          |
 *                       |                 RESET --------------'          |
 *                       '------------------------------------------------'
 *                                           commit
 * </pre>
 *
 * <p>A state is a property of the slice, not of the span it is in, so splitting and coalescing
 * spans keeps it exact. A slice in use is {@link #DIRTY}; a free one is in any state. A refused
 * call of the operating system leaves the state as it was.
 */
public final class SliceState {

  /** Never committed: to be committed before use, and zero then. */
  public static final byte RESERVED = 0;

  /** Committed and never handed out since: every byte is zero. */
  public static final byte ZERO = 1;

  /** Committed, contents unknown. */
  public static final byte DIRTY = 2;

  /**
   * Committed, but the operating system may take the backing at any time: to be committed again
   * before use, contents unknown then.
   */
  public static final byte RESET = 3;

  /** Committed once, its backing given back: to be committed before use, and zero then. */
  public static final byte DECOMMITTED = 4;

  private SliceState() {}

  /** Tells whether a slice in some state counts as committed. */
  static boolean isCommitted(byte state) {
    return state == ZERO || state == DIRTY || state == RESET;
  }

  /** Tells whether a slice in some state can be used as it is. */
  static boolean isUsable(byte state) {
    return state == ZERO || state == DIRTY;
  }

  /** Tells whether every byte of a slice is zero once it is committed. */
  static boolean isZero(byte state) {
    return state == RESERVED || state == ZERO || state == DECOMMITTED;
  }
}
