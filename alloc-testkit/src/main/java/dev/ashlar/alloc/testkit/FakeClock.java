// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that moves only when a test says so. Safe for use by many threads at once.
 *
 * <p>It begins near the end of the range of a {@code long}, where comparing readings instead of
 * subtracting them goes wrong, as {@link System#nanoTime()} may also do.
 */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public final class FakeClock implements Clock {

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final AtomicLong reads = new AtomicLong();

  /** Makes a clock that stands still. */
  public FakeClock() {}

  @Override
  public long nanoTime() {
    reads.incrementAndGet();
    return now.get();
  }

  /**
   * Returns how often this clock has been read.
   *
   * @return the number of calls of {@link #nanoTime}
   */
  public long reads() {
    return reads.get();
  }

  /**
   * Moves the clock forward.
   *
   * @param nanoseconds by how much, not negative
   * @throws IllegalArgumentException if {@code nanoseconds} is negative: the clock is monotonic
   */
  public void advance(long nanoseconds) {
    if (nanoseconds < 0) {
      throw new IllegalArgumentException(nanoseconds + " ns: a monotonic clock goes forward only");
    }
    now.addAndGet(nanoseconds);
  }
}
