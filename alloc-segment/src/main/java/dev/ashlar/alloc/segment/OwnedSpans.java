// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The spans of one explicit heap, pages and large blocks alike: they can be told from all others,
 * and be freed or handed on together.
 *
 * <p>The list is linked through the spans, which are in no queue while they are in use. It is
 * guarded by the lock of the {@link SpanAllocator}. The page map says of each slice with a block of
 * such a heap that it is {@linkplain SizeClasses#OWNED owned}, and by which number.
 */
public final class OwnedSpans {

  private final SpanAllocator spans;
  private final byte number;
  private Span head;

  /**
   * Makes an empty list.
   *
   * @param spans the span allocator of the spans
   * @param number what the page map's table of owners has in their slices, not 0
   */
  public OwnedSpans(SpanAllocator spans, byte number) {
    this.spans = spans;
    this.number = number;
  }

  /** Adds a span and enters it in the page map's table of owners. */
  void add(Span span) {
    span.previous = null;
    span.next = head;
    if (head != null) {
      head.previous = span;
    }
    head = span;
    enter(span, number);
  }

  /** Removes a span. */
  void remove(Span span) {
    if (span.previous == null) {
      head = span.next;
    } else {
      span.previous.next = span.next;
    }
    if (span.next != null) {
      span.next.previous = span.previous;
    }
    span.previous = null;
    span.next = null;
    enter(span, (byte) 0);
  }

  private void enter(Span span, byte owner) {
    // Of a large block only the first slice is ever looked up.
    int slices = span.page == null ? 1 : span.slices;
    for (int i = 0; i < slices; i++) {
      spans.map().owners().put(span.address() + i * Segment.SLICE_BYTES, owner);
    }
  }

  /**
   * Returns the span of this list in which a block begins.
   *
   * @param address any number
   * @return the page or large block, or null if no block of these spans can begin there
   */
  public Span spanOfBlock(long address) {
    synchronized (spans) {
      Span span = spans.map().spanAt(address);
      if (span == null || span.segment.owner != spans) {
        return null;
      }
      Page page = span.page;
      boolean found =
          page == null
              ? span.owner != null && span.owner.owned() == this && span.address() == address
              : page.owner().owned() == this && page.startsAt(page.indexOf(address), address);
      return found ? span : null;
    }
  }

  /**
   * Returns the pages in this list.
   *
   * @return the pages at this moment
   */
  public List<Page> pages() {
    synchronized (spans) {
      List<Page> pages = new ArrayList<>();
      for (Span span = head; span != null; span = span.next) {
        if (span.page != null) {
          pages.add(span.page);
        }
      }
      return pages;
    }
  }

  /**
   * Returns the large blocks in this list.
   *
   * @return the usable size in bytes of each at this moment, by its address
   */
  public Map<Long, Long> largeBlocks() {
    synchronized (spans) {
      Map<Long, Long> blocks = new HashMap<>();
      for (Span span = head; span != null; span = span.next) {
        if (span.page == null) {
          blocks.put(span.address(), span.largeBytes);
        }
      }
      return blocks;
    }
  }

  /** Tells whether a span is in this list. */
  boolean contains(Span wanted) {
    Span span = head;
    while (span != null && span != wanted) {
      span = span.next;
    }
    return span != null;
  }

  /**
   * Empties this list: the pages become another owner's, which has no such list, and the large
   * blocks nobody's.
   *
   * @param owner the new owner of the pages
   */
  public void moveTo(PageOwner owner) {
    synchronized (spans) {
      while (head != null) {
        Span span = head;
        remove(span);
        span.owner = null;
        if (span.page != null) {
          span.page.setOwner(owner);
          spans.enterClasses(span, span.page.sizeClass());
        }
      }
    }
  }

  /**
   * Empties this list and frees all spans, with the blocks that are in them.
   *
   * @return how many blocks of each class were out of their pages
   */
  public long[] freeAll() {
    long[] out = new long[SizeClasses.LAST_MEDIUM + 1];
    synchronized (spans) {
      while (head != null) {
        Span span = head;
        spans.clearMarks(span);
        if (span.page == null) {
          spans.giveLargeAt(span.address());
        } else {
          out[span.page.sizeClass()] += span.page.countOut();
          spans.givePage(span.page);
        }
      }
    }
    return out;
  }
}
