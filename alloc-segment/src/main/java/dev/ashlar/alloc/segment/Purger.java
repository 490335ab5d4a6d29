// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.prim.Clock;
import java.lang.ref.WeakReference;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * Purges in the background: one daemon thread for all allocators of the process.
 *
 * <p>The thread is started when something first becomes pending, is parked while nothing is due,
 * and ends when no allocator is registered. It holds allocators weakly, so that one which nobody
 * holds any more is forgotten; a closed one leaves by itself. It holds no lock while it is parked
 * or inside an allocator, and nothing that happens in an allocator ends it.
 *
 * <pre>
 *   client    IDLE     nothing pending                            not waited for
 *             ARMED    to be visited at wakeAt, or before         waited for
 *             VISITED  its pass is running: IDLE as far as it is concerned, so whatever becomes
 *                      pending meanwhile arms it anew
 *             LEFT     its allocator is closed                    in no list, for good
 * </pre>
 *
 * <p>Whoever arms a client unparks the thread after that. The thread looks at all clients after
 * each time it wakes and before it parks again, and an unpark that comes between looking and
 * parking makes the park return at once: so none is missed.
 */
final class Purger {

  /** The purger of the process. */
  static final Purger PROCESS =
      new Purger(
          Thread.ofPlatform()
              .name("ashlar-purger")
              .daemon()
              .inheritInheritableThreadLocals(false)
              .factory(),
          System::nanoTime);

  /** Instead of a time to wait: nobody is to be visited. */
  static final long NOTHING_ARMED = -1;

  /** Instead of a time to wait: nobody is registered. */
  static final long NO_CLIENTS = -2;

  /** How long a client is left alone whose pass failed, in nanoseconds. */
  private static final long AFTER_FAILURE = 1_000_000_000;

  private final ThreadFactory threads;
  private final Clock clock;

  /** The registered clients, linked by {@code next}. Guarded by this purger, as all below. */
  private Client first;

  private Thread thread;

  /**
   * Makes a purger without clients.
   *
   * @param threads makes its thread; null or an {@link OutOfMemoryError} means that there is none
   * @param clock what it waits by
   */
  Purger(ThreadFactory threads, Clock clock) {
    this.threads = threads;
    this.clock = clock;
  }

  /** Makes the client of an allocator, not registered before it is first woken. */
  Client clientOf(SpanAllocator spans) {
    return new Client(spans);
  }

  /** What this purger knows of one allocator. */
  final class Client extends WeakReference<SpanAllocator> {
    private Client next;
    private boolean registered;
    private boolean left;
    private boolean armed;
    private long wakeAt;

    private Client(SpanAllocator spans) {
      super(spans);
    }

    /**
     * Asks for a pass in some time.
     *
     * @param nanoseconds in how long, not negative
     * @return false if there is no thread that could do it
     */
    boolean wakeIn(long nanoseconds) {
      return arm(this, nanoseconds);
    }

    /** Takes this client out for good. */
    void leave() {
      remove(this);
    }
  }

  private boolean arm(Client client, long nanoseconds) {
    Thread waiting;
    synchronized (this) {
      if (client.left) {
        return false;
      }
      schedule(client, nanoseconds);
      if (!client.registered) {
        client.registered = true;
        client.next = first;
        first = client;
      }
      if (thread == null || !thread.isAlive()) {
        thread = start();
      }
      waiting = thread;
    }
    LockSupport.unpark(waiting);
    return waiting != null;
  }

  private void schedule(Client client, long nanoseconds) {
    long at = clock.nanoTime() + nanoseconds;
    if (!client.armed || client.wakeAt - at > 0) {
      client.armed = true;
      client.wakeAt = at;
    }
  }

  /** Starts the thread; null if the process can have no more threads. */
  private Thread start() {
    try {
      Thread started = threads.newThread(this::run);
      if (started != null) {
        started.setContextClassLoader(null); // of whoever happened to free something first
        started.start();
      }
      return started;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private synchronized void remove(Client client) {
    client.left = true;
    client.armed = false;
    if (client.registered) {
      client.registered = false;
      if (first == client) {
        first = client.next;
      } else {
        Client before = first;
        while (before.next != client) {
          before = before.next;
        }
        before.next = client.next;
      }
      client.next = null;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (true) {
      long wait = visitDue();
      if (wait == NO_CLIENTS) {
        return;
      }
      Thread.interrupted(); // or parking would not park
      if (wait == NOTHING_ARMED) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, wait);
      }
    }
  }

  /**
   * Visits all clients that are due.
   *
   * @return how long to wait for the next in nanoseconds, {@link #NOTHING_ARMED}, or {@link
   *     #NO_CLIENTS} if the thread has ended with that
   */
  long visitDue() {
    while (true) {
      Client client;
      synchronized (this) {
        client = nextDue();
        if (client == null) {
          return untilNext();
        }
        client.armed = false;
      }
      visit(client);
    }
  }

  private Client nextDue() {
    long now = clock.nanoTime();
    Client client = first;
    while (client != null && !(client.armed && now - client.wakeAt >= 0)) {
      client = client.next;
    }
    return client;
  }

  private long untilNext() {
    if (first == null) {
      thread = null;
      return NO_CLIENTS;
    }
    long now = clock.nanoTime();
    long least = NOTHING_ARMED;
    for (Client client = first; client != null; client = client.next) {
      if (client.armed) {
        long wait = Math.max(1, client.wakeAt - now);
        least = least == NOTHING_ARMED ? wait : Math.min(least, wait);
      }
    }
    return least;
  }

  private void visit(Client client) {
    SpanAllocator spans = client.get();
    if (spans == null) {
      remove(client);
      return;
    }
    long remaining;
    try {
      remaining = spans.purgeDue();
    } catch (Throwable e) { // one allocator's trouble is not the others'
      remaining = AFTER_FAILURE;
    }
    if (remaining >= 0) {
      synchronized (this) {
        if (!client.left) {
          schedule(client, remaining);
        }
      }
    }
  }
}
