// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/** Makes pages without memory, for tests that look at bitmaps and lists alone. */
public final class TestPages {

  private static final long BASE = 1L << 40;

  private TestPages() {}

  /**
   * Makes a page of one slice, all of whose blocks are out.
   *
   * @param owner who takes blocks from it
   * @param sizeClass the class of its blocks
   */
  public static Page allOut(PageOwner owner, int sizeClass) {
    Segment segment = new Segment(null, BASE, Segment.SEGMENT_BYTES, false);
    Page page = new Page(owner, new Span().set(segment, 0, 1, Span.Kind.PAGE), sizeClass);
    while (page.freeCount() > 0) {
      page.takeOne();
    }
    return page;
  }

  /** Gives a page another owner. */
  public static void setOwner(Page page, PageOwner owner) {
    page.setOwner(owner);
  }

  /** Returns how many blocks are in the remote bitmap, of which none may be free as well. */
  public static int remoteCount(Page page) {
    return page.countBits()[1];
  }
}
