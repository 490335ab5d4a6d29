// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.prim.Clock;
import java.util.Arrays;

/**
 * When the free slices of one allocator are due to be purged.
 *
 * <p>Each slice carries the time it became free, each segment and this clock a time that none of
 * theirs is due before:
 *
 * <pre>
 *   slice      freedAt                      kept by splitting and coalescing
 *   segment    pending, due   at most the earliest freedAt + delay of its free dirty slices
 *   clock      pending, due   at most the earliest due of a segment or the kept span, but for the
 *                             pause after a pass
 * </pre>
 *
 * <p>Freeing can only make something pending, so it compares and stores; a <em>pass</em> over the
 * segments purges what is due and finds the next times exactly, so that a pass that finds nothing
 * loses nothing. Taking a slice into use leaves times too early, which costs a pass and no more.
 * Passes keep a pause of a fraction of the delay, lest a program that frees all the time have one
 * for each of its frees.
 *
 * <p>Without a timed policy nothing is ever pending, and the clock is not read. Guarded by the span
 * allocator's lock.
 */
final class PurgeClock {

  /** The pause after a pass is the delay over this. */
  private static final int PAUSES = 16;

  /** How late the {@link Purger} may be before the allocator's users purge: the delay over this. */
  private static final int LATE = 4;

  private final Clock clock;
  private final boolean timed;
  private final long delay;

  /** Who is told when something becomes pending; null if nobody is. */
  private final Purger.Client client;

  /** Whether that one was there when it was told last. */
  private boolean attended;

  private boolean pending;
  private long due;
  private long lastRead;

  /** The earliest time found so far in a pass. */
  private boolean carried;

  private long carriedDue;

  PurgeClock(Purge policy, Clock clock, Purger.Client client) {
    this.clock = clock;
    this.timed = policy.isTimed();
    this.delay = policy.delayNanos();
    this.client = client;
  }

  /** Reads the clock if times are of any use. */
  long read() {
    if (!timed) {
      return 0;
    }
    lastRead = clock.nanoTime();
    return lastRead;
  }

  /** Tells whether a time is due that some slices became free at. */
  boolean isDue(long freedAt, long now) {
    return now - freedAt >= delay;
  }

  /** Notes that a run of slices is free. */
  void freed(Segment segment, int from, int end, long time) {
    if (timed) {
      Arrays.fill(segment.freedAt, from, end, time);
      pend(segment, time);
      pend(time);
    }
  }

  /** Notes that something of a segment is free since some time. */
  void pend(Segment segment, long freedAt) {
    long at = freedAt + delay;
    if (!segment.pending || segment.due - at > 0) {
      segment.pending = true;
      segment.due = at;
    }
  }

  /** Notes that something is free since some time. */
  void pend(long freedAt) {
    long at = freedAt + delay;
    if (timed && (!pending || due - at > 0)) {
      pending = true;
      due = at;
      attended = client != null && client.wakeIn(Math.max(0, at - lastRead));
    }
  }

  /** Tells whether anything is free that will be due. */
  boolean isPending() {
    return pending;
  }

  /**
   * Tells whether the users of the allocator are to purge, by the last time that was read: when
   * something is due and the {@link Purger} is not there, or late.
   */
  boolean isLate() {
    return pending && lastRead - due >= (attended ? delay / LATE : 0);
  }

  /** Tells the same by the time it is. */
  boolean isLateNow() {
    if (pending && !attended) {
      read();
    }
    return isLate();
  }

  /** For walks: tells whether a pass will be in time for a free dirty slice. */
  boolean covers(Segment segment, int slice) {
    return !timed
        || pending && segment.pending && segment.due - (segment.freedAt[slice] + delay) <= 0;
  }

  /** For walks: tells whether a pass will come to the kept span. */
  boolean coversKept() {
    return !timed || pending;
  }

  // ---- a pass

  void beginPass() {
    carried = false;
  }

  /** Notes in a pass that something is free since some time and will be due. */
  void carry(long freedAt) {
    carryDue(freedAt + delay);
  }

  /** Notes in a pass that something will be due at some time. */
  void carryDue(long at) {
    if (!carried || carriedDue - at > 0) {
      carried = true;
      carriedDue = at;
    }
  }

  /** Ends a pass that has seen everything. */
  void endPass(long now) {
    pending = carried;
    long pause = now + delay / PAUSES;
    due = carriedDue - pause > 0 ? carriedDue : pause;
  }

  /** Returns how long it is until something is due, in nanoseconds, or -1 if nothing is pending. */
  long remaining() {
    return pending ? Math.max(0, due - read()) : -1;
  }
}
