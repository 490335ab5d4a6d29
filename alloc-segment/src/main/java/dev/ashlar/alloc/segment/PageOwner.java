// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/**
 * Whoever takes blocks from a page and puts them back without synchronisation: a heap.
 *
 * <p>A page keeps its owner, and a heap that changes hands takes its pages along, except that the
 * pages of an explicit heap are handed on when it ends and its blocks live on.
 */
public interface PageOwner {

  /**
   * Returns the list in which the spans of this owner are kept.
   *
   * @return the list, or null if there is none
   */
  OwnedSpans owned();
}
