// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SLICES;

import dev.ashlar.alloc.api.PurgeMode;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.Arrays;

/**
 * The free spans of a span allocator: cuts spans for use out of them, best fit, and coalesces with
 * them what comes back.
 *
 * <p>Guarded by the span allocator's lock. Each operation does all that can fail before it changes
 * anything: Java objects are made first, then memory is committed, then spans are cut.
 */
final class FreeSpans {

  private final SegmentStore segments;
  private final SliceMemory memory;
  private final SegmentPool pool;
  private final Purge policy;
  private final PurgeClock clock;

  private final SpanQueue queue = new SpanQueue();
  private int emptySegments;

  /**
   * Spare span objects, linked by {@code next}, so that cutting and coalescing makes no garbage.
   */
  private Span spares;

  private int spareCount;

  FreeSpans(
      SegmentStore segments, SliceMemory memory, SegmentPool pool, Purge policy, PurgeClock clock) {
    this.segments = segments;
    this.memory = memory;
    this.pool = pool;
    this.policy = policy;
    this.clock = clock;
  }

  // ---- cutting

  /**
   * Takes a span of committed slices, not yet of any kind but not free either. There must be three
   * spare objects.
   */
  Span take(int slices, int alignment, long requested) {
    Span found = find(slices, alignment);
    Segment added = null;
    if (found == null) {
      added = segments.add(requested);
      found = spare().set(added, 0, SLICES, Span.Kind.FREE);
      addFree(found);
      emptySegments++;
    }
    Segment segment = found.segment;
    int first = found.first + alignment - 1 & -alignment;
    boolean zero;
    try {
      zero = memory.commit(segment, first, slices);
    } catch (VirtualMemoryException | OutOfMemoryError e) {
      if (added != null) {
        removeEmpty(added);
      }
      if (e instanceof VirtualMemoryException refusal) {
        throw segments.exhausted(requested, refusal);
      }
      throw e;
    }
    if (segment.freeSlices == SLICES) {
      emptySegments--;
    }
    segment.freeSlices -= slices;
    Span span = cut(found, first, slices);
    span.zero = zero;
    return span;
  }

  /** Returns a free span that holds an aligned run, or null. */
  private Span find(int slices, int alignment) {
    if (alignment == 1) {
      return queue.bestFit(slices);
    }
    int length = slices;
    while (true) {
      Span span = queue.bestFit(length);
      if (span == null) {
        return null;
      }
      int first = span.first + alignment - 1 & -alignment;
      if (first + slices <= span.first + span.slices) {
        return span;
      }
      // Of each length only one span is tried; one long enough for any position ends the search.
      length = span.slices + 1;
    }
  }

  /** Cuts a run out of a free span; what is left on either side stays free. */
  private Span cut(Span found, int first, int slices) {
    Segment segment = found.segment;
    int before = first - found.first;
    int after = found.first + found.slices - first - slices;
    queue.remove(found);
    if (before > 0) {
      addFree(spare().set(segment, found.first, before, Span.Kind.FREE));
    }
    if (after > 0) {
      addFree(spare().set(segment, first + slices, after, Span.Kind.FREE));
    }
    found.set(segment, first, slices, Span.Kind.LARGE);
    segment.enter(found);
    return found;
  }

  private void addFree(Span span) {
    span.segment.enter(span);
    queue.add(span);
  }

  /**
   * Changes the length of a span in use at its end; false if that cannot be done. There must be a
   * spare object.
   */
  boolean resize(Span span, int slices) {
    Segment segment = span.segment;
    int end = span.first + span.slices;
    int more = slices - span.slices;
    if (more < 0) {
      Span tail = spare().set(segment, span.first + slices, -more, Span.Kind.LARGE);
      span.slices = slices;
      segment.enter(span);
      segment.enter(tail);
      free(tail, clock.read());
      return true;
    }
    Span after = end < SLICES ? segment.spans[end] : null;
    if (after == null || after.kind != Span.Kind.FREE || after.slices < more) {
      return false;
    }
    try {
      memory.commit(segment, end, more);
    } catch (VirtualMemoryException e) {
      return false;
    }
    segment.freeSlices -= more;
    recycle(cut(after, end, more));
    span.slices = slices;
    segment.enter(span);
    return true;
  }

  // ---- coalescing

  /**
   * Frees a span, coalescing it with free neighbours, and its segment if that is now superfluous.
   *
   * @param time since when it has been free, by the {@link PurgeClock}
   */
  void free(Span span, long time) {
    Segment segment = span.segment;
    int first = span.first;
    int end = first + span.slices;
    segment.freeSlices += span.slices;
    clock.freed(segment, first, end, time);
    if (first > 0 && segment.spans[first - 1].kind == Span.Kind.FREE) {
      Span before = segment.spans[first - 1];
      queue.remove(before);
      first = before.first;
      recycle(before);
    }
    if (end < SLICES && segment.spans[end].kind == Span.Kind.FREE) {
      Span after = segment.spans[end];
      queue.remove(after);
      end = after.first + after.slices;
      recycle(after);
    }
    addFree(span.set(segment, first, end - first, Span.Kind.FREE));
    if (policy.isImmediate()) {
      purge(span);
    }
    if (segment.freeSlices == SLICES) {
      emptySegments++;
      int kept =
          policy.isImmediate() && policy.mode() == PurgeMode.DECOMMIT ? 0 : pool.keptSegments();
      if (emptySegments > kept) {
        giveUp(segment);
      }
    }
  }

  /** Decommits and removes a segment without a span in use, if the operating system takes it. */
  private void giveUp(Segment segment) {
    if (decommit(segment.spans[0])) {
      removeEmpty(segment);
    }
  }

  /** Removes a segment that has no span in use and no committed slice. */
  private void removeEmpty(Segment segment) {
    Span whole = segment.spans[0];
    queue.remove(whole);
    recycle(whole);
    emptySegments--;
    segments.remove(segment);
  }

  // ---- giving memory back

  /** Decommits all free spans and removes the segments that are empty. */
  void purgeAll() {
    Segment next;
    for (Segment segment = segments.first(); segment != null; segment = next) {
      next = segment.next;
      if (!segment.huge && purge(segment) && segment.freeSlices == SLICES) {
        removeEmpty(segment);
      }
    }
  }

  /** Decommits every free span of a segment; false if the operating system refuses something. */
  private boolean purge(Segment segment) {
    boolean taken = true;
    Span span;
    for (int slice = 0; slice < SLICES; slice = span.first + span.slices) {
      span = segment.spans[slice];
      if (span.kind == Span.Kind.FREE) {
        taken &= decommit(span);
      }
    }
    return taken;
  }

  /**
   * Purges what has been free for long enough at some time, about a segment's worth at most.
   *
   * @return false if there may be more; what is not due yet is carried over in the clock otherwise
   */
  boolean purgeDue(long now) {
    int purged = 0;
    Segment next;
    for (Segment segment = segments.first(); segment != null; segment = next) {
      next = segment.next;
      if (segment.pending && now - segment.due >= 0) {
        if (purged >= SLICES) {
          return false;
        }
        purged += purgeDue(segment, now);
      } else if (segment.pending) {
        clock.carryDue(segment.due);
      }
    }
    return true;
  }

  /** Purges what is due of a segment, and the segment if it is empty; returns how many slices. */
  private int purgeDue(Segment segment, long now) {
    segment.pending = false;
    int purged = 0;
    Span span;
    for (int slice = 0; slice < SLICES; slice = span.first + span.slices) {
      span = segment.spans[slice];
      if (span.kind == Span.Kind.FREE) {
        purged += purgeDue(segment, span.first, span.first + span.slices, now);
      }
    }
    if (segment.pending) {
      clock.carryDue(segment.due);
    } else if (segment.freeSlices == SLICES && policy.mode() == PurgeMode.DECOMMIT) {
      giveUp(segment);
    }
    return purged;
  }

  private int purgeDue(Segment segment, int first, int limit, long now) {
    byte[] states = segment.states;
    long[] freedAt = segment.freedAt;
    int purged = 0;
    for (int from = first; from < limit; ) {
      boolean isDue = clock.isDue(freedAt[from], now);
      int end = from + 1;
      while (end < limit
          && states[end] == states[from]
          && clock.isDue(freedAt[end], now) == isDue) {
        end++;
      }
      if (states[from] == SliceState.DIRTY) {
        if (isDue && purge(segment, from, end)) {
          purged += end - from;
        } else {
          if (isDue) { // refused, so it is tried again a delay later
            Arrays.fill(freedAt, from, end, now);
          }
          for (int i = from; i < end; i++) {
            clock.pend(segment, freedAt[i]);
          }
        }
      }
      from = end;
    }
    return purged;
  }

  /** Purges what is dirty of a free span. */
  private void purge(Span span) {
    Segment segment = span.segment;
    int limit = span.first + span.slices;
    for (int from = span.first; from < limit; ) {
      int end = from + 1;
      while (end < limit && segment.states[end] == segment.states[from]) {
        end++;
      }
      if (segment.states[from] == SliceState.DIRTY) {
        purge(segment, from, end);
      }
      from = end;
    }
  }

  /** Purges a run of dirty slices as the policy says; false if the operating system refuses. */
  private boolean purge(Segment segment, int from, int end) {
    return policy.mode() == PurgeMode.RESET
        ? memory.reset(segment, from, end)
        : memory.decommit(segment, from, end);
  }

  private boolean decommit(Span span) {
    return memory.decommitAll(span.segment, span.first, span.first + span.slices);
  }

  // ---- span objects

  /** Makes sure of some spare objects. */
  void ensureSpares(int count) {
    while (spareCount < count) {
      recycle(new Span());
    }
  }

  /** Returns a spare object that {@link #ensureSpares} has made sure of. */
  Span spare() {
    Span span = spares;
    spares = span.next;
    span.next = null;
    spareCount--;
    return span;
  }

  /** Makes an object a spare one. */
  void recycle(Span span) {
    span.set(null, 0, 0, Span.Kind.FREE);
    span.previous = null;
    span.next = spares;
    spares = span;
    spareCount++;
  }

  // ---- for walks

  SpanQueue queue() {
    return queue;
  }

  int emptySegments() {
    return emptySegments;
  }
}
