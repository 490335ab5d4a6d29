// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.function.LongConsumer;

/**
 * A few heaps shared by virtual threads, and by platform threads that find no slot.
 *
 * <p>A thread tries the stripe its id leads to, then the others that exist, then makes another one
 * if there may be more, and else waits in line for the first. It never spins: a virtual thread that
 * holds a stripe may be unmounted while it waits for the span allocator's lock, and a few threads
 * that yield in turns can keep the carriers from ever coming to it. Stripes are never keyed by the
 * carrier thread, as a virtual thread may change carriers while it holds one.
 */
final class HeapStripes {

  private static final VarHandle STRIPES = MethodHandles.arrayElementVarHandle(Stripe[].class);

  /**
   * One shared heap with its lock: taking it costs one compare-and-set, letting it go one volatile
   * store, and whoever holds it is inside for {@link #close}, with nothing more to announce. It is
   * not reentrant.
   */
  @SuppressWarnings("serial") // it is never serialised
  static final class Stripe extends AbstractQueuedSynchronizer {
    private static final int FREE = 0;
    private static final int HELD = 1;

    private final transient long slot;

    Stripe(long slot) {
      this.slot = slot;
    }

    /** Returns the address of the heap's slot. */
    long slot() {
      return slot;
    }

    /** Takes this if nobody holds it. */
    private boolean tryHold() {
      return compareAndSetState(FREE, HELD);
    }

    /** Takes this, waiting in line. */
    private void hold() {
      acquire(HELD);
    }

    void letGo() {
      release(HELD);
    }

    @Override
    protected boolean tryAcquire(int unused) {
      return tryHold();
    }

    @Override
    protected boolean tryRelease(int unused) {
      setState(FREE);
      return true;
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
    Stripe stripe = take(thread.threadId());
    // Close sets the mark before it goes through the stripes: who sees none now is waited for.
    if (table.isClosed()) {
      stripe.letGo();
      throw table.closedException();
    }
    return stripe;
  }

  private Stripe take(long id) {
    while (true) {
      table.checkOpen();
      int count = made;
      for (int i = 0; i < count; i++) {
        Stripe stripe = stripe((int) ((id + i) % count));
        if (stripe.tryHold()) {
          return stripe;
        }
      }
      if (count == stripes.length || !makeOne(count)) {
        Stripe stripe = stripe((int) (id % count));
        stripe.hold();
        return stripe;
      }
    }
  }

  private Stripe stripe(int index) {
    return (Stripe) STRIPES.getAcquire(stripes, index);
  }

  /** Makes another stripe; false if there is no memory for it but there are others to wait for. */
  private synchronized boolean makeOne(int expected) {
    if (made == expected) {
      try {
        STRIPES.setRelease(stripes, expected, new Stripe(table.newStripe(expected)));
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

  /** Lets a task have each stripe's slot in turn, while nobody else is inside. */
  void forEach(LongConsumer task) {
    int count = made;
    for (int i = 0; i < count; i++) {
      Stripe stripe = stripe(i);
      stripe.hold();
      try {
        table.checkOpen();
        task.accept(stripe.slot());
      } finally {
        stripe.letGo();
      }
    }
  }

  /**
   * Waits until nobody is inside. To be called once the table is closed: nobody gets in any more.
   */
  synchronized void close() {
    for (int i = 0; i < made; i++) {
      stripes[i].hold();
      stripes[i].letGo();
    }
  }
}
