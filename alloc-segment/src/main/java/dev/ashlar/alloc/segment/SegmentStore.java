// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SEGMENT_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICES;
import static dev.ashlar.alloc.segment.Segment.SLICE_SHIFT;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The segments of one allocator: their address space, and which of their slices are committed.
 *
 * <p>Guarded by the lock of the {@link SpanAllocator} it belongs to. Each operation does all that
 * can fail before it changes anything.
 */
final class SegmentStore {

  /** How many slices are committed together where committing costs nothing, a power of two. */
  private static final int COMMIT_AHEAD = 16;

  private final SpanAllocator owner;
  private final VirtualMemory memory;
  private final PageMap map;
  private final boolean keepsMarks;
  private final int commitAhead;
  private final LongSupplier liveBytes;

  private Segment first;
  private int count;
  private long reservedBytes;
  private long committedBytes;
  private long refusedPurges;

  SegmentStore(
      SpanAllocator owner,
      VirtualMemory memory,
      PageMap map,
      boolean keepsMarks,
      LongSupplier liveBytes) {
    this.owner = owner;
    this.memory = memory;
    this.map = map;
    this.keepsMarks = keepsMarks;
    this.commitAhead = memory.capabilities().commitIsFree() ? COMMIT_AHEAD : 1;
    this.liveBytes = liveBytes;
  }

  // ---- segments

  /** Adds an ordinary segment, nothing of it committed. */
  Segment add(long requested) {
    return add(1, SEGMENT_BYTES, false, requested);
  }

  /** Adds a huge segment with its first bytes committed. */
  Segment addHuge(long bytes, long alignment) {
    Segment segment = add((bytes - 1) / SEGMENT_BYTES + 1, alignment, true, bytes);
    try {
      memory.commit(segment.base, bytes);
    } catch (VirtualMemoryException e) {
      remove(segment);
      throw exhausted(bytes, e);
    } catch (OutOfMemoryError e) {
      remove(segment);
      throw e;
    }
    committedBytes += bytes;
    segment.states[0] = SliceState.DIRTY;
    segment.freeSlices = 0;
    return segment;
  }

  private Segment add(long units, long alignment, boolean huge, long requested) {
    AddressSpace space = map.space();
    long base = space.take(units, alignment);
    if (base == AddressSpace.NO_RUN) {
      throw new NativeMemoryExhaustedError(
          requested, liveBytes.getAsLong(), space.bytes(), "address space", null);
    }
    long bytes = units * SEGMENT_BYTES;
    Segment segment;
    try {
      segment = new Segment(owner, base, bytes, huge);
      if (keepsMarks) {
        map.marks().commit(memory, base, bytes);
      }
    } catch (VirtualMemoryException e) {
      space.give(base, units);
      throw exhausted(requested, e);
    } catch (OutOfMemoryError e) {
      space.give(base, units);
      throw e;
    }
    map.put(base, bytes, segment);
    segment.next = first;
    if (first != null) {
      first.previous = segment;
    }
    first = segment;
    count++;
    reservedBytes += bytes;
    return segment;
  }

  /** Removes a segment that has nothing committed. */
  void remove(Segment segment) {
    if (keepsMarks && !map.marks().clear(memory, segment.base, segment.bytes)) {
      refusedPurges++;
    }
    map.put(segment.base, segment.bytes, null);
    if (segment.previous == null) {
      first = segment.next;
    } else {
      segment.previous.next = segment.next;
    }
    if (segment.next != null) {
      segment.next.previous = segment.previous;
    }
    count--;
    reservedBytes -= segment.bytes;
    map.space().give(segment.base, segment.bytes / SEGMENT_BYTES);
  }

  /** Removes a huge segment of which some first bytes are committed. */
  void removeHuge(Segment segment, long committed) {
    decommitOrZero(segment.base, committed);
    remove(segment);
  }

  /** Removes everything, whatever is in it. */
  void close() {
    while (first != null) {
      Segment segment = first;
      if (segment.huge) {
        map.classes().put(segment.base, (byte) SizeClasses.NONE);
        removeHuge(segment, segment.spans[0].largeBytes);
      } else {
        close(segment);
      }
    }
  }

  private void close(Segment segment) {
    for (int slice = 0; slice < SLICES; slice++) {
      map.classes().put(segment.addressOf(slice), (byte) SizeClasses.NONE);
    }
    for (int from = 0; from < SLICES; ) {
      int end = endOfRun(segment, from);
      if (segment.states[from] != SliceState.RESERVED) {
        decommitOrZero(segment.addressOf(from), (long) (end - from) << SLICE_SHIFT);
      }
      from = end;
    }
    remove(segment);
  }

  /** Gives memory back whose next user counts on zeros, which are written if the system refuses. */
  private void decommitOrZero(long address, long bytes) {
    committedBytes -= bytes;
    try {
      memory.decommit(address, bytes);
    } catch (VirtualMemoryException e) {
      refusedPurges++;
      RawMemory.fill(address, bytes, (byte) 0);
    }
  }

  // ---- slices

  /**
   * Commits a run of slices for use.
   *
   * @return whether all of it is known to be zero
   * @throws VirtualMemoryException if the operating system refuses; nothing has changed for slices
   *     that were in use
   */
  boolean commit(Segment segment, int from, int slices) {
    byte[] states = segment.states;
    boolean zero = true;
    int end = from + slices;
    for (int i = from; i < end; i++) {
      if (states[i] == SliceState.RESERVED) {
        commitReserved(segment, i, end);
      }
      zero &= states[i] == SliceState.ZERO;
    }
    Arrays.fill(states, from, end, SliceState.DIRTY);
    return zero;
  }

  /** Commits the reserved slices from one on, a little further than needed where that is free. */
  private void commitReserved(Segment segment, int from, int end) {
    byte[] states = segment.states;
    int needed = Math.min(end, endOfRun(segment, from));
    int limit = needed + commitAhead - 1 & -commitAhead;
    int ahead = Math.min(limit, endOfRun(segment, from));
    long bytes = (long) (ahead - from) << SLICE_SHIFT;
    memory.commit(segment.addressOf(from), bytes);
    committedBytes += bytes;
    Arrays.fill(states, from, ahead, SliceState.ZERO);
  }

  /** Returns where the run of slices ends that are like one as to being committed. */
  private static int endOfRun(Segment segment, int from) {
    return endOfRun(segment, from, SLICES);
  }

  private static int endOfRun(Segment segment, int from, int limit) {
    byte[] states = segment.states;
    boolean reserved = states[from] == SliceState.RESERVED;
    int end = from + 1;
    while (end < limit && states[end] == SliceState.RESERVED == reserved) {
      end++;
    }
    return end;
  }

  /**
   * Decommits what is committed of a free span. What the operating system refuses to take stays as
   * it is.
   *
   * @return false if it refused something
   */
  boolean purge(Span span) {
    Segment segment = span.segment;
    boolean taken = true;
    int limit = span.first + span.slices;
    for (int from = span.first; from < limit; ) {
      int end = endOfRun(segment, from, limit);
      if (segment.states[from] != SliceState.RESERVED) {
        taken &= decommit(segment, from, end);
      }
      from = end;
    }
    return taken;
  }

  private boolean decommit(Segment segment, int from, int end) {
    long bytes = (long) (end - from) << SLICE_SHIFT;
    try {
      memory.decommit(segment.addressOf(from), bytes);
    } catch (VirtualMemoryException e) {
      refusedPurges++;
      return false;
    }
    committedBytes -= bytes;
    Arrays.fill(segment.states, from, end, SliceState.RESERVED);
    return true;
  }

  /** Changes how many first bytes of a huge segment are committed; false if that is refused. */
  boolean recommitHuge(Segment segment, long old, long bytes) {
    try {
      if (bytes > old) {
        memory.commit(segment.base + old, bytes - old);
      } else if (bytes < old) {
        memory.decommit(segment.base + bytes, old - bytes);
      }
    } catch (VirtualMemoryException e) {
      refusedPurges += bytes < old ? 1 : 0;
      return false;
    }
    committedBytes += bytes - old;
    return true;
  }

  // ---- the rest

  NativeMemoryExhaustedError exhausted(long requested, VirtualMemoryException cause) {
    return new NativeMemoryExhaustedError(
        requested, liveBytes.getAsLong(), Long.MAX_VALUE, "operating system", cause);
  }

  void countRefusedPurge() {
    refusedPurges++;
  }

  long committedBytes() {
    return committedBytes;
  }

  SpanStats stats(long largeBytes, long largeBlocks) {
    return new SpanStats(
        reservedBytes, committedBytes, count, largeBytes, largeBlocks, refusedPurges);
  }

  /** The list of segments, for walks. */
  Segment first() {
    return first;
  }

  boolean keepsMarks() {
    return keepsMarks;
  }

  long liveBytes() {
    return liveBytes.getAsLong();
  }
}
