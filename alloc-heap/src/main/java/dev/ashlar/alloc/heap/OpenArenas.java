// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts an allocator's open arenas: it does not close under them.
 *
 * <pre>
 *   n open  --open-->  n + 1 open  --close-->  n open
 *   0 open  --shut-->  SHUTTING  --done-->  SHUT
 *                      SHUTTING  --refused-->  0 open
 * </pre>
 *
 * <p>Whoever opens an arena or shuts while another thread is shutting waits for the outcome.
 */
final class OpenArenas {

  private static final int SHUT = -1;
  private static final int SHUTTING = -2;

  /** How long a thread waits at a time for another one's closing, in nanoseconds. */
  private static final long MOMENT = 20_000;

  private final AtomicInteger state = new AtomicInteger();

  /**
   * Counts one more.
   *
   * @return false if the allocator is closed
   */
  boolean open() {
    while (true) {
      int before = state.getAndUpdate(n -> n < 0 ? n : n + 1);
      if (before != SHUTTING) {
        return before != SHUT;
      }
      LockSupport.parkNanos(MOMENT);
    }
  }

  /** Counts one less. */
  void close() {
    state.decrementAndGet();
  }

  /**
   * Lets no more arenas open.
   *
   * @param allocator what is told when arenas are open
   * @param closing does what may refuse, by throwing; everything is then as it was
   * @return false if it was shut already
   * @throws IllegalStateException if any arena is open
   */
  boolean shut(String allocator, Runnable closing) {
    while (true) {
      int before = state.compareAndExchange(0, SHUTTING);
      if (before == SHUT) {
        return false;
      }
      if (before > 0) {
        throw new IllegalStateException(
            "the allocator '"
                + allocator
                + "' cannot close: "
                + before
                + " of its arenas are open");
      }
      if (before == 0) {
        boolean done = false;
        try {
          closing.run();
          done = true;
        } finally {
          state.set(done ? SHUT : 0);
        }
        return true;
      }
      LockSupport.parkNanos(MOMENT);
    }
  }
}
