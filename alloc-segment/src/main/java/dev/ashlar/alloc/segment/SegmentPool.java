// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/**
 * The policy that says how many empty segments are kept for reuse; the others go back to the
 * operating system.
 *
 * @param keptSegments how many empty segments are kept at most, not negative
 */
public record SegmentPool(int keptSegments) {

  /**
   * Keeps one, so that an allocator at the edge of a segment does not commit and decommit in turn.
   */
  public static final SegmentPool DEFAULT = new SegmentPool(1);

  /**
   * Makes a policy.
   *
   * @throws IllegalArgumentException if {@code keptSegments} is negative
   */
  public SegmentPool {
    if (keptSegments < 0) {
      throw new IllegalArgumentException(
          "keptSegments " + keptSegments + " is not in 0 to " + Integer.MAX_VALUE);
    }
  }
}
