// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/** Makes pages without memory, all of whose blocks are out, and looks into their bitmaps. */
public final class FullPages {

  private static final long BASE = 1L << 40;

  private FullPages() {}

  /**
   * Makes a page of one slice.
   *
   * @param owner who takes blocks from it
   * @param sizeClass the class of its blocks
   * @return the page
   */
  public static Page make(PageOwner owner, int sizeClass) {
    Segment segment = new Segment(null, BASE, Segment.SEGMENT_BYTES, false);
    Page page = new Page(owner, new Span().set(segment, 0, 1, Span.Kind.PAGE), sizeClass);
    while (page.freeCount() > 0) {
      page.takeOne();
    }
    return page;
  }

  /**
   * Gives a page another owner.
   *
   * @param page the page
   * @param owner its new owner
   */
  public static void handOver(Page page, PageOwner owner) {
    page.setOwner(owner);
  }

  /**
   * Counts the blocks in the bitmap of remote frees.
   *
   * @param page a page that no other thread uses meanwhile
   * @return the number of blocks
   */
  public static int remoteCount(Page page) {
    return page.countBits()[1];
  }
}
