// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A few heaps shared by virtual threads, and by platform threads that find no slot.
 *
 * <p>A thread tries the stripe its id leads to, then the others that exist, then makes another one
 * if there may be more, and yields after each vain round. Stripes are never keyed by the carrier
 * thread: a virtual thread may change carriers while it holds one. A stripe is held for the few
 * steps of one operation, without a monitor.
 */
final class HeapStripes {

  private static final VarHandle HELD;
  private static final VarHandle STRIPES = MethodHandles.arrayElementVarHandle(Stripe[].class);

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(Stripe.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** One shared heap with its lock. */
  static final class Stripe {
    private long slot;
    private volatile int held;

    /** Returns the address of the heap's slot. */
    long slot() {
      return slot;
    }

    boolean tryHold() {
      return held == 0 && HELD.compareAndSet(this, 0, 1);
    }

    void letGo() {
      held = 0;
    }
  }

  private final HeapTable table;
  private final Stripe[] stripes;
  private volatile int made;

  /**
   * Makes the stripes of a table; none has a heap yet.
   *
   * @param count how many stripes there may be, a power of two
   */
  HeapStripes(HeapTable table, int count) {
    this.table = table;
    this.stripes = new Stripe[count];
  }

  /**
   * Takes a stripe for the calling thread, which lets it go after one operation.
   *
   * @throws IllegalStateException if the allocator is closed
   * @throws dev.ashlar.alloc.api.NativeMemoryExhaustedError if there is no stripe yet and no memory
   *     for one
   */
  Stripe hold(Thread thread) {
    long id = thread.threadId();
    while (true) {
      table.checkOpen();
      int count = made;
      for (int i = 0; i < count; i++) {
        Stripe stripe = (Stripe) STRIPES.getAcquire(stripes, (int) ((id + i) % count));
        if (stripe.tryHold()) {
          return stripe;
        }
      }
      if (count == stripes.length || !makeOne(count)) {
        Thread.yield();
      }
    }
  }

  /** Makes another stripe; false if there is no memory for it but there are others to wait for. */
  private synchronized boolean makeOne(int expected) {
    if (made == expected) {
      try {
        Stripe stripe = new Stripe();
        stripe.slot = table.newStripe(expected);
        STRIPES.setRelease(stripes, expected, stripe);
        made = expected + 1;
      } catch (OutOfMemoryError e) {
        if (expected == 0) {
          throw e;
        }
        return false;
      }
    }
    return true;
  }

  /** Holds every stripe for ever. To be called once the table is closed. */
  synchronized void close() {
    for (int i = 0; i < made; i++) {
      while (!stripes[i].tryHold()) {
        Thread.yield();
      }
    }
  }
}
