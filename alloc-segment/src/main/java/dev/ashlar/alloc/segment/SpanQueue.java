// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/**
 * The free spans of a span allocator by length: a list for each length, and a bit for each list
 * that is not empty, so that the best fit is one search over a few words.
 *
 * <p>Guarded by the span allocator's lock.
 */
final class SpanQueue {

  private final Span[] heads = new Span[Segment.SLICES + 1];
  private final long[] filled = new long[(Segment.SLICES >>> 6) + 1];

  void add(Span span) {
    int n = span.slices;
    Span head = heads[n];
    span.previous = null;
    span.next = head;
    if (head != null) {
      head.previous = span;
    }
    heads[n] = span;
    filled[n >>> 6] |= 1L << n;
  }

  void remove(Span span) {
    int n = span.slices;
    if (span.previous == null) {
      heads[n] = span.next;
      if (span.next == null) {
        filled[n >>> 6] &= ~(1L << n);
      }
    } else {
      span.previous.next = span.next;
    }
    if (span.next != null) {
      span.next.previous = span.previous;
    }
    span.previous = null;
    span.next = null;
  }

  /** Returns a shortest span of at least some length, or null if there is none. */
  Span bestFit(int slices) {
    int word = slices >>> 6;
    if (word >= filled.length) {
      return null;
    }
    long bits = filled[word] & -1L << slices;
    while (bits == 0) {
      if (++word == filled.length) {
        return null;
      }
      bits = filled[word];
    }
    return heads[(word << 6) + Long.numberOfTrailingZeros(bits)];
  }

  /** Returns the first span of exactly some length, or null if there is none. */
  Span head(int slices) {
    return heads[slices];
  }
}
