// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

/** A run of slices of a linear memory: free, a page, one large block, or not this allocator's. */
final class LinearSpan {

  /** The binary logarithm of the size of a slice in bytes. */
  static final int SLICE_SHIFT = 10;

  /** The size of a slice in bytes. */
  static final int SLICE_BYTES = 1 << SLICE_SHIFT;

  /** What a span is used for. */
  enum Kind {
    /** Nothing: it is in the bins. */
    FREE,
    /** Blocks of one size class. */
    PAGE,
    /** One block. */
    LARGE,
    /** Something that another one added to the memory. */
    HOLE
  }

  /** The first slice. */
  int first;

  int slices;
  Kind kind;

  /** The page this span is, while it is one. */
  LinearPage page;

  /** Neighbours in a bin while free; the next spare while unused. */
  LinearSpan previous;

  LinearSpan next;

  LinearSpan set(int first, int slices, Kind kind) {
    this.first = first;
    this.slices = slices;
    this.kind = kind;
    this.page = null;
    return this;
  }

  /** Returns the first slice behind this span. */
  int end() {
    return first + slices;
  }

  /** Returns where this span begins as an offset in bytes. */
  long offset() {
    return (long) first << SLICE_SHIFT;
  }

  /** Returns how large this span is in bytes. */
  long bytes() {
    return (long) slices << SLICE_SHIFT;
  }

  /** Returns how many slices hold some bytes. */
  static int slices(long bytes) {
    return (int) (bytes + SLICE_BYTES - 1 >>> SLICE_SHIFT);
  }
}
