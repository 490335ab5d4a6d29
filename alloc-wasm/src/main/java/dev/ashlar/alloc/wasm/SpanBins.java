// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

/**
 * The free spans of a linear memory by length: a bin for each length to {@value #EXACT} slices,
 * then eight bins to each doubling, and a bit for each bin that is not empty.
 */
final class SpanBins {

  private static final int EXACT = 64;
  private static final int EXACT_EXPONENT = 6;
  private static final int BINS = 256;

  private final LinearSpan[] heads = new LinearSpan[BINS];
  private final long[] filled = new long[BINS >>> 6];

  private static int bin(int slices) {
    if (slices <= EXACT) {
      return slices;
    }
    int exponent = 31 - Integer.numberOfLeadingZeros(slices);
    return EXACT + 1 + (exponent - EXACT_EXPONENT << 3) + (slices >>> exponent - 3 & 7);
  }

  void add(LinearSpan span) {
    int bin = bin(span.slices);
    LinearSpan head = heads[bin];
    span.previous = null;
    span.next = head;
    if (head != null) {
      head.previous = span;
    }
    heads[bin] = span;
    filled[bin >>> 6] |= 1L << bin;
  }

  void remove(LinearSpan span) {
    int bin = bin(span.slices);
    if (span.previous == null) {
      heads[bin] = span.next;
      if (span.next == null) {
        filled[bin >>> 6] &= ~(1L << bin);
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

  /**
   * Returns a shortest span that holds an aligned run, of those the first in memory.
   *
   * @param slices the length of the run
   * @param alignment of its first slice, a power of two
   * @return the span or null
   */
  LinearSpan bestFit(int slices, int alignment) {
    for (int bin = next(bin(slices)); bin < BINS; bin = next(bin + 1)) {
      LinearSpan best = null;
      for (LinearSpan span = heads[bin]; span != null; span = span.next) {
        int first = span.first + alignment - 1 & -alignment;
        if (first + slices <= span.end() && (best == null || better(span, best))) {
          best = span;
        }
      }
      if (best != null) {
        return best;
      }
    }
    return null;
  }

  private static boolean better(LinearSpan span, LinearSpan best) {
    return span.slices < best.slices || span.slices == best.slices && span.first < best.first;
  }

  /** Returns the first bin from a number on that is not empty, or {@link #BINS}. */
  private int next(int from) {
    for (int word = from >>> 6; word < filled.length; word++) {
      long bits = filled[word] & (word == from >>> 6 ? -1L << from : -1L);
      if (bits != 0) {
        return (word << 6) + Long.numberOfTrailingZeros(bits);
      }
    }
    return BINS;
  }
}
