// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SLICES;
import static dev.ashlar.alloc.segment.Segment.SLICE_SHIFT;

import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.Arrays;

/**
 * The memory of one allocator's segments: has it committed and taken back, keeps the {@link
 * SliceState} of each slice, and counts.
 *
 * <p>Guarded by the lock of the {@link SpanAllocator} it belongs to. What the operating system
 * refuses changes nothing; a refusal to take memory back is counted.
 */
final class SliceMemory {

  /** How many slices are committed together where committing costs nothing, a power of two. */
  private static final int COMMIT_AHEAD = 16;

  private final VirtualMemory memory;
  private final int commitAhead;

  private long committedBytes;
  private long refusedPurges;

  SliceMemory(VirtualMemory memory) {
    this.memory = memory;
    this.commitAhead = memory.capabilities().commitIsFree() ? COMMIT_AHEAD : 1;
  }

  // ---- slices of ordinary segments

  /**
   * Commits a run of slices for use.
   *
   * @return whether all of it is known to be zero
   * @throws VirtualMemoryException if the operating system refuses; nothing has changed then
   */
  boolean commit(Segment segment, int from, int slices) {
    byte[] states = segment.states;
    int end = from + slices;
    boolean zero = true;
    for (int i = from; i < end; ) {
      byte state = states[i];
      int next = endOfState(states, i, end);
      if (!SliceState.isUsable(state)) {
        try {
          commitRun(segment, i, next);
        } catch (VirtualMemoryException | OutOfMemoryError e) {
          uncommit(segment, from, i);
          throw e;
        }
      }
      zero &= SliceState.isZero(state);
      i = next;
    }
    for (int i = from; i < end; i++) {
      committedBytes += SliceState.isCommitted(states[i]) ? 0 : Segment.SLICE_BYTES;
    }
    Arrays.fill(states, from, end, SliceState.DIRTY);
    return zero;
  }

  /**
   * Commits a run of slices of one state, leaving their states, and the slices behind them of the
   * same state as far as that is free.
   */
  private void commitRun(Segment segment, int from, int end) {
    byte[] states = segment.states;
    int ahead = end;
    if (states[from] != SliceState.RESET) {
      int limit = end + commitAhead - 1 & -commitAhead;
      while (ahead < limit && states[ahead] == states[from]) {
        ahead++;
      }
    }
    memory.commit(segment.addressOf(from), (long) (ahead - from) << SLICE_SHIFT);
    Arrays.fill(states, end, ahead, SliceState.ZERO);
    committedBytes += (long) (ahead - end) << SLICE_SHIFT;
  }

  /** Takes back what a commit has done that failed further on. */
  private void uncommit(Segment segment, int from, int end) {
    byte[] states = segment.states;
    for (int i = from; i < end; ) {
      int next = endOfState(states, i, end);
      // What was reset stays so: it need not be committed less.
      if (states[i] == SliceState.RESERVED || states[i] == SliceState.DECOMMITTED) {
        Arrays.fill(states, i, next, SliceState.ZERO);
        committedBytes += (long) (next - i) << SLICE_SHIFT;
        decommit(segment, i, next);
      }
      i = next;
    }
  }

  private static int endOfState(byte[] states, int from, int limit) {
    int end = from + 1;
    while (end < limit && states[end] == states[from]) {
      end++;
    }
    return end;
  }

  /**
   * Decommits what is committed of a run of slices.
   *
   * @return false if the operating system refuses some of it, which stays as it is
   */
  boolean decommitAll(Segment segment, int from, int limit) {
    boolean taken = true;
    for (int i = from; i < limit; ) {
      boolean committed = SliceState.isCommitted(segment.states[i]);
      int next = i + 1;
      while (next < limit && SliceState.isCommitted(segment.states[next]) == committed) {
        next++;
      }
      if (committed) {
        taken &= decommit(segment, i, next);
      }
      i = next;
    }
    return taken;
  }

  /** Decommits a run of committed slices; false if the operating system refuses. */
  boolean decommit(Segment segment, int from, int end) {
    long bytes = (long) (end - from) << SLICE_SHIFT;
    try {
      memory.decommit(segment.addressOf(from), bytes);
    } catch (VirtualMemoryException e) {
      refusedPurges++;
      return false;
    }
    committedBytes -= bytes;
    Arrays.fill(segment.states, from, end, SliceState.DECOMMITTED);
    return true;
  }

  /** Resets a run of dirty slices; false if the operating system refuses. */
  boolean reset(Segment segment, int from, int end) {
    try {
      memory.reset(segment.addressOf(from), (long) (end - from) << SLICE_SHIFT);
    } catch (VirtualMemoryException e) {
      refusedPurges++;
      return false;
    }
    Arrays.fill(segment.states, from, end, SliceState.RESET);
    return true;
  }

  // ---- all of a segment

  /** Takes back all that is committed of a segment whose address space another may get. */
  void close(Segment segment) {
    byte[] states = segment.states;
    for (int i = 0; i < SLICES; ) {
      int next = endOfState(states, i, SLICES);
      if (SliceState.isCommitted(states[i])) {
        decommitOrZero(segment.addressOf(i), (long) (next - i) << SLICE_SHIFT);
      }
      i = next;
    }
  }

  /** Commits the first bytes of a huge segment. */
  void commitHuge(Segment segment, long bytes) {
    memory.commit(segment.base, bytes);
    committedBytes += bytes;
    segment.states[0] = SliceState.DIRTY;
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

  /**
   * Moves the first bytes of a huge segment to another one and commits what that is to have beyond
   * them; false if the operating system cannot or will not, and nothing has changed then.
   */
  boolean moveHuge(Segment from, Segment to, long moved, long bytes) {
    if (!memory.capabilities().canRemap()) {
      return false;
    }
    long end = to.base + moved;
    try {
      if (bytes > moved) {
        memory.commit(end, bytes - moved);
      }
    } catch (VirtualMemoryException e) {
      return false;
    }
    committedBytes += bytes - moved;
    try {
      memory.remap(from.base, to.base, moved);
    } catch (VirtualMemoryException e) {
      if (bytes > moved) {
        decommitOrZero(end, bytes - moved);
      }
      return false;
    }
    to.states[0] = SliceState.DIRTY;
    return true;
  }

  /** Gives memory back whose next user counts on zeros, which are written if the system refuses. */
  void decommitOrZero(long address, long bytes) {
    committedBytes -= bytes;
    try {
      memory.decommit(address, bytes);
    } catch (VirtualMemoryException e) {
      refusedPurges++;
      RawMemory.fill(address, bytes, (byte) 0);
    }
  }

  // ---- counting

  long committedBytes() {
    return committedBytes;
  }

  long refusedPurges() {
    return refusedPurges;
  }

  void countRefusedPurge() {
    refusedPurges++;
  }
}
