// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/**
 * A run of slices of one segment: free, a page, or one large block.
 *
 * <p>All fields are guarded by the lock of the {@link SpanAllocator}, except that whoever holds a
 * span in use may read what does not change while it is in use.
 */
public final class Span {

  /** What a span is used for. */
  public enum Kind {
    /** Nothing: it is in the span allocator's queue. */
    FREE,
    /** Nothing: it is kept as it is for the next large block of its size. */
    KEPT,
    /** Blocks of one size class. */
    PAGE,
    /** One large or huge block. */
    LARGE
  }

  Segment segment;
  int first;
  int slices;
  Kind kind;

  /** Whether every byte was zero when the span was handed out. */
  boolean zero;

  /** The page this span is, while it is one; written by the page's owner before a block is out. */
  Page page;

  /** The explicit heap whose large block this span is, or null. */
  PageOwner owner;

  /** The usable bytes of the large block this span is. */
  long largeBytes;

  /** Neighbours in the queue while free, in its owner's {@link OwnedSpans} while in use. */
  Span previous;

  Span next;

  Span() {}

  /** Makes this a span of some slices of a segment. */
  Span set(Segment segment, int first, int slices, Kind kind) {
    this.segment = segment;
    this.first = first;
    this.slices = slices;
    this.kind = kind;
    this.zero = false;
    this.page = null;
    this.owner = null;
    this.largeBytes = 0;
    return this;
  }

  /** Tells whether there are blocks in this span. */
  boolean inUse() {
    return kind == Kind.PAGE || kind == Kind.LARGE;
  }

  /**
   * Returns the segment this span is in.
   *
   * @return the segment
   */
  public Segment segment() {
    return segment;
  }

  /**
   * Returns where this span begins.
   *
   * @return the address
   */
  public long address() {
    return segment.addressOf(first);
  }

  /**
   * Returns how large this span is.
   *
   * @return the size in bytes
   */
  public long bytes() {
    return segment.huge ? segment.bytes : (long) slices << Segment.SLICE_SHIFT;
  }

  /**
   * Returns what this span is used for.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Tells whether every byte was zero when this span was handed out.
   *
   * @return true if that is proven
   */
  public boolean zero() {
    return zero;
  }

  /**
   * Returns the page that this span is.
   *
   * @return the page, or null if it is none
   */
  public Page page() {
    return page;
  }

  /**
   * Returns the usable bytes of the large block that this span is.
   *
   * @return the size in bytes
   */
  public long largeBytes() {
    return largeBytes;
  }
}
