// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import java.util.ArrayList;
import java.util.List;

/**
 * Walks a span allocator's structures and compares them with each other. For tests: nobody else may
 * be inside the allocator.
 */
public final class Invariants {

  private Invariants() {}

  /**
   * Checks the segments, spans, queue, page map and counters of a span allocator.
   *
   * @param spans the span allocator
   * @return its pages
   * @throws AssertionError if something does not agree, saying what
   */
  public static List<Page> check(SpanAllocator spans) {
    synchronized (spans) {
      return new Walk(spans).run();
    }
  }

  /**
   * Checks a page's bitmaps.
   *
   * @param page the page
   * @return how many of its blocks are out
   * @throws AssertionError if something does not agree, saying what
   */
  public static int checkPage(Page page) {
    int[] bits = page.countBits();
    if (bits[0] != page.freeCount()) {
      throw broken(page.span(), "counts " + page.freeCount() + " free blocks, has " + bits[0]);
    }
    return page.capacity() - bits[0] - bits[1];
  }

  private static AssertionError broken(Span span, String what) {
    return new AssertionError("span at 0x" + Long.toHexString(span.address()) + " " + what);
  }

  private static final class Walk {
    private final SpanAllocator spans;
    private final List<Page> pages = new ArrayList<>();
    private long reserved;
    private long committed;
    private long largeBytes;
    private long largeBlocks;
    private int segments;
    private int empty;
    private int free;

    Walk(SpanAllocator spans) {
      this.spans = spans;
    }

    List<Page> run() {
      for (Segment s = spans.firstSegment(); s != null; s = s.next) {
        segments++;
        reserved += s.bytes;
        if (spans.map().segmentAt(s.base) != s || s.owner() != spans) {
          throw new AssertionError("segment at 0x" + Long.toHexString(s.base) + " is not entered");
        }
        if (s.huge) {
          huge(s);
        } else {
          ordinary(s);
        }
      }
      SpanStats stats = spans.stats();
      equal("reserved bytes", stats.reservedBytes(), reserved);
      equal("committed bytes", stats.committedBytes(), committed);
      equal("large bytes", stats.largeBytes(), largeBytes);
      equal("large blocks", stats.largeBlocks(), largeBlocks);
      equal("segments", stats.segments(), segments);
      equal("empty segments", spans.emptySegments(), empty);
      equal("queued spans", queued(), free);
      return pages;
    }

    private static void equal(String what, long counted, long found) {
      if (counted != found) {
        throw new AssertionError(what + ": counter says " + counted + ", walk finds " + found);
      }
    }

    private void huge(Segment s) {
      Span span = s.spans[0];
      committed += span.largeBytes;
      large(span);
      if (span.largeBytes > s.bytes) {
        throw broken(span, "is larger than its segment");
      }
      checkOwner(s, span);
    }

    private void ordinary(Segment s) {
      int freeSlices = 0;
      boolean freeBefore = false;
      for (int slice = 0; slice < Segment.SLICES; ) {
        Span span = s.spans[slice];
        if (span == null || span.segment != s || span.first != slice || span.slices <= 0) {
          throw new AssertionError(
              "slice " + slice + " of segment 0x" + Long.toHexString(s.base) + " begins no span");
        }
        int end = slice + span.slices;
        boolean isFree = span.kind == Span.Kind.FREE;
        if (isFree && freeBefore) {
          throw broken(span, "is free beside a free span");
        }
        freeBefore = isFree;
        if (s.spans[end - 1] != span) {
          throw broken(span, "is not entered at its last slice");
        }
        if (isFree) {
          free++;
          freeSlices += span.slices;
          free(s, span);
        } else {
          used(s, span);
        }
        checkClasses(s, span);
        checkOwner(s, span);
        slice = end;
      }
      for (byte state : s.states) {
        committed += SliceState.isCommitted(state) ? Segment.SLICE_BYTES : 0;
      }
      equal("free slices", s.freeSlices, freeSlices);
      if (freeSlices == Segment.SLICES) {
        empty++;
      }
    }

    private void free(Segment s, Span span) {
      for (int i = span.first; i < span.first + span.slices; i++) {
        if (s.states[i] == SliceState.DIRTY && !spans.clock().covers(s, i)) {
          throw broken(span, "has a slice that no pass will purge in time");
        }
      }
    }

    private void used(Segment s, Span span) {
      for (int i = span.first; i < span.first + span.slices; i++) {
        if (span.kind == Span.Kind.PAGE && s.spans[i] != span) {
          throw broken(span, "is not entered at each of its slices");
        }
        if (s.states[i] != SliceState.DIRTY) {
          throw broken(span, "is in use and has a slice in state " + s.states[i]);
        }
      }
      if (span.kind == Span.Kind.KEPT) {
        if (span != spans.kept()) {
          throw broken(span, "is kept and forgotten");
        }
        if (!spans.clock().coversKept()) {
          throw broken(span, "is kept and no pass will come");
        }
      } else if (span.kind == Span.Kind.LARGE) {
        large(span);
        equal("bytes of a large block", span.largeBytes, span.bytes());
      } else {
        Page page = span.page;
        if (page == null || page.span() != span) {
          throw broken(span, "is no page's span");
        }
        checkPage(page);
        pages.add(page);
      }
    }

    private void large(Span span) {
      largeBytes += span.largeBytes;
      largeBlocks++;
    }

    private void checkClasses(Segment s, Span span) {
      for (int i = 0; i < span.slices; i++) {
        int expected =
            switch (span.kind) {
              case FREE, KEPT -> SizeClasses.NONE;
              case PAGE -> span.page.sizeClass() | (ownedBy(span) == null ? 0 : SizeClasses.OWNED);
              case LARGE -> i == 0 ? SizeClasses.LARGE : SizeClasses.NONE;
            };
        int found = Byte.toUnsignedInt(spans.map().classes().get(s.addressOf(span.first + i)));
        if (found != expected) {
          throw broken(span, "has class " + found + " in the page map, not " + expected);
        }
      }
    }

    /** Returns the list that a span should be in, or null. */
    private static OwnedSpans ownedBy(Span span) {
      PageOwner owner = span.page == null ? span.owner : span.page.owner();
      return owner == null ? null : owner.owned();
    }

    private void checkOwner(Segment s, Span span) {
      OwnedSpans owned = span.inUse() ? ownedBy(span) : null;
      int first = Byte.toUnsignedInt(spans.map().owners().get(s.addressOf(span.first)));
      if ((first != 0) != (owned != null)) {
        throw broken(span, "has owner " + first + " in the page map");
      }
      if (owned != null && !owned.contains(span)) {
        throw broken(span, "is not in its owner's list");
      }
    }

    private int queued() {
      int count = 0;
      for (int length = 1; length <= Segment.SLICES; length++) {
        for (Span span = spans.queue().head(length); span != null; span = span.next) {
          if (span.kind != Span.Kind.FREE || span.slices != length) {
            throw broken(span, "is in the queue of free spans of length " + length);
          }
          count++;
        }
      }
      return count;
    }
  }
}
