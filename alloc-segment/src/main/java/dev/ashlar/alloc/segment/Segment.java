// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import java.util.Arrays;

/**
 * An aligned unit of the address space, cut into slices that spans tile.
 *
 * <pre>
 *   segment   |<------------------------- 32 MiB -------------------------->|
 *   slices    | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |  ...              | 511 |
 *   spans     |  page |  large block      | page  |     free span           |
 *   entries     A   A   B   -   -   -   B   C   C   D   -   -   ...     D
 * </pre>
 *
 * <p>Invariants, walked by {@link Invariants}:
 *
 * <ul>
 *   <li>Spans lie end to end from slice 0 to the last slice.
 *   <li>No two neighbouring spans are free.
 *   <li>A page is entered at each of its slices, any other span at its first and last one, which is
 *       what a neighbour needs to coalesce with it. Entries between those ends mean nothing.
 *   <li>A slice in use is committed.
 * </ul>
 *
 * <p>A <em>huge</em> segment is a run of units with one span for one block; it has a single entry,
 * and a single state for all its slices.
 */
public final class Segment {

  /** The binary logarithm of the size of a slice in bytes. */
  public static final int SLICE_SHIFT = 16;

  /** The size of a slice in bytes. */
  public static final long SLICE_BYTES = 1L << SLICE_SHIFT;

  /** The binary logarithm of the size of a segment in bytes. */
  public static final int SEGMENT_SHIFT = 25;

  /** The size of a segment in bytes, and its alignment. */
  public static final long SEGMENT_BYTES = 1L << SEGMENT_SHIFT;

  /** How many slices a segment has that is not huge. */
  public static final int SLICES = 1 << SEGMENT_SHIFT - SLICE_SHIFT;

  final SpanAllocator owner;
  final long base;
  final long bytes;
  final boolean huge;

  /** What spans begin and end at the slices, and what pages they are in. */
  final Span[] spans;

  /** The {@link SliceState} of each slice. */
  final byte[] states;

  /** Since when each slice has been free that is free and dirty, by the {@link PurgeClock}. */
  final long[] freedAt;

  /** Whether one of those is to be purged at some time, which is not before {@link #due}. */
  boolean pending;

  long due;

  /** How many slices are in no span in use. */
  int freeSlices;

  /** Neighbours in the owner's list of segments. */
  Segment previous;

  Segment next;

  Segment(SpanAllocator owner, long base, long bytes, boolean huge) {
    this.owner = owner;
    this.base = base;
    this.bytes = bytes;
    this.huge = huge;
    this.spans = new Span[huge ? 1 : SLICES];
    this.states = new byte[huge ? 1 : SLICES];
    this.freedAt = new long[huge ? 0 : SLICES];
    this.freeSlices = huge ? 1 : SLICES;
  }

  /**
   * Returns who cuts this segment into spans.
   *
   * @return the span allocator
   */
  public SpanAllocator owner() {
    return owner;
  }

  /**
   * Returns the page that an address lies in, or the large block that begins in its slice.
   *
   * @param address an address in this segment
   * @return the span, or null if there is neither
   */
  public Span spanAt(long address) {
    int slice = huge ? 0 : (int) (address - base >>> SLICE_SHIFT);
    Span span = spans[slice];
    // Between the ends of a span that is no page there are entries of earlier spans.
    return span != null
            && span.inUse()
            && span.segment == this
            && slice - span.first >= 0
            && slice - span.first < span.slices
        ? span
        : null;
  }

  /**
   * Returns the span in use that an address lies in, by a walk over all spans. To be called under
   * the owner's lock.
   *
   * @param address an address in this segment
   * @return the span, or null if the address lies in none
   */
  public Span spanAround(long address) {
    int slice = huge ? 0 : (int) (address - base >>> SLICE_SHIFT);
    Span span = spans[0];
    while (span.first + span.slices <= slice) {
      span = spans[span.first + span.slices];
    }
    return span.inUse() ? span : null;
  }

  /** Returns the address of a slice. */
  long addressOf(int slice) {
    return base + ((long) slice << SLICE_SHIFT);
  }

  /** Enters a span at its two ends. */
  void enter(Span span) {
    spans[span.first] = span;
    spans[span.first + span.slices - 1] = span;
  }

  /** Enters a page at each of its slices. */
  void enterPage(Span span) {
    Arrays.fill(spans, span.first, span.first + span.slices, span);
  }
}
