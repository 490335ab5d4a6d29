// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.segment.Page;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A heap's list of its pages that other threads have put blocks back into.
 *
 * <p>Any thread adds, by compare-and-set; the owner takes the whole list at once. A page is in the
 * list at most once, which {@link Page#markPending} sees to; the protocol is written there.
 */
final class RemoteFrees {

  private static final VarHandle HEAD;

  static {
    try {
      HEAD = MethodHandles.lookup().findVarHandle(RemoteFrees.class, "head", Page.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile Page head;

  /**
   * Puts blocks of one word of a page back on behalf of its owner; returns bits that were back
   * already.
   */
  static long give(Page page, int word, long bits) {
    long twice = page.giveRemote(word, bits);
    if (page.markPending()) {
      ((ThreadHeap) page.owner()).remoteFrees().add(page);
    }
    return twice;
  }

  private void add(Page page) {
    Page next;
    do {
      next = head;
      page.setNextPending(next);
    } while (!HEAD.compareAndSet(this, next, page));
  }

  /** Tells whether there may be something to take. */
  boolean isEmpty() {
    return head == null;
  }

  /** Takes the list: its first page, or null. For the owner. */
  Page takeAll() {
    return (Page) HEAD.getAndSet(this, (Page) null);
  }
}
