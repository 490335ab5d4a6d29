// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/** An owner's pages of one class that have free blocks. For the owner only. */
public final class PageList {

  private Page head;

  /** Makes an empty list. */
  public PageList() {}

  /**
   * Returns the page to take blocks from.
   *
   * @return the first page, or null if the list is empty
   */
  public Page head() {
    return head;
  }

  /**
   * Returns the page after another one.
   *
   * @param page a page of this list
   * @return the next page or null
   */
  public Page after(Page page) {
    return page.next();
  }

  /**
   * Puts a page first.
   *
   * @param page a page of no list
   */
  public void add(Page page) {
    if (head != null) {
      head.link(page, head.next(), true);
    }
    page.link(null, head, true);
    head = page;
  }

  /**
   * Takes a page out.
   *
   * @param page a page of this list
   */
  public void remove(Page page) {
    Page before = page.previous();
    Page after = page.next();
    if (before == null) {
      head = after;
    } else {
      before.link(before.previous(), after, true);
    }
    if (after != null) {
      after.link(before, after.next(), true);
    }
    page.link(null, null, false);
  }

  /**
   * Tells whether a page is the only one.
   *
   * @param page a page of this list
   * @return true if there is no other
   */
  public boolean isOnly(Page page) {
    return head == page && page.next() == null;
  }
}
