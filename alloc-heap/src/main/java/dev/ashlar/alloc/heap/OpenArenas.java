package dev.ashlar.alloc.heap;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts an allocator's open arenas: it does not close under them.
 *
 * <pre>
 *   n open  --open-->  n + 1 open  --close-->  n open
 *   0 open  --shut-->  SHUT  --unshut-->  0 open
 * </pre>
 */
final class OpenArenas {

  private static final int SHUT = -1;

  private final AtomicInteger state = new AtomicInteger();

  /**
   * Counts one more.
   *
   * @throws IllegalStateException if the allocator is closed or closing
   */
  void open() {
    if (state.getAndUpdate(n -> n == SHUT ? SHUT : n + 1) == SHUT) {
      throw HeapEngine.closed();
    }
  }

  /** Counts one less. */
  void close() {
    state.decrementAndGet();
  }

  /**
   * Lets no more arenas open.
   *
   * @return false if that was so already
   * @throws IllegalStateException if any is open
   */
  boolean shut() {
    int before = state.compareAndExchange(0, SHUT);
    if (before > 0) {
      throw new IllegalStateException(
          "the allocator cannot close: " + before + " of its arenas are open");
    }
    return before == 0;
  }

  /** Takes {@link #shut()} back. */
  void unshut() {
    state.set(0);
  }
}
