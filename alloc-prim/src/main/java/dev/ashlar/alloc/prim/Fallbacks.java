// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

/**
 * How often an operating system did not do what was preferred, since its binding was opened.
 *
 * @param ordinaryPageBytes how many bytes were committed with ordinary pages, or with what the
 *     operating system makes large on its own, where large pages were asked for
 * @param refusedNodes how many preferences for a node were refused
 */
public record Fallbacks(long ordinaryPageBytes, long refusedNodes) {

  /** Nothing was asked for in vain. */
  public static final Fallbacks NONE = new Fallbacks(0, 0);
}
