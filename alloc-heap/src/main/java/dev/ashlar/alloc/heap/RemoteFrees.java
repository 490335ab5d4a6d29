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
 *
 * <pre>
 *   OPEN (any number of pages)  --add-->      OPEN, one more
 *   OPEN                        --takeAll-->  OPEN, none
 *   OPEN                        --seal-->     SEALED
 * </pre>
 *
 * <p>An explicit heap that ends gives its pages their new owner first and then seals its list. So a
 * thread that finds the list sealed, and looks at the page's owner again, finds the new one, or, if
 * it is the same as before, knows that the page is gone.
 */
final class RemoteFrees {

  private static final VarHandle HEAD;

  static {
    try {
      HEAD = MethodHandles.lookup().findVarHandle(RemoteFrees.class, "head", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** In the place of the first page once nobody may add any more. */
  private static final Object SEALED = new Object();

  /** The first page, null, or {@link #SEALED}. */
  private volatile Object head;

  /**
   * Puts blocks of one word of a page back on behalf of its owner; returns bits that were back
   * already.
   */
  static long give(Page page, int word, long bits) {
    long twice = page.giveRemote(word, bits);
    if (page.markPending()) {
      RemoteFrees list = of(page);
      while (!list.add(page)) {
        RemoteFrees now = of(page); // the owner was written before the list was sealed
        if (now == list) {
          break; // gone with its blocks
        }
        list = now;
      }
    }
    return twice;
  }

  private static RemoteFrees of(Page page) {
    return ((HeapPages) page.owner()).remoteFrees();
  }

  /** Puts a page first; false if this is sealed. */
  private boolean add(Page page) {
    while (true) {
      Object next = head;
      if (next == SEALED) {
        return false;
      }
      page.setNextPending((Page) next);
      if (HEAD.compareAndSet(this, next, page)) {
        return true;
      }
    }
  }

  /** Tells whether there may be something to take. */
  boolean isEmpty() {
    return head == null;
  }

  /** Takes the list: its first page, or null. For the owner. */
  Page takeAll() {
    return (Page) HEAD.getAndSet(this, (Object) null);
  }

  /**
   * Takes the list and lets nobody add to it any more, for a heap whose pages have got another
   * owner or are gone.
   *
   * @return its first page, or null
   */
  Page seal() {
    return (Page) HEAD.getAndSet(this, SEALED);
  }
}
