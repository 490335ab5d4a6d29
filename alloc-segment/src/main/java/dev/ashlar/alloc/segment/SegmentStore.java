// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SEGMENT_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICES;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.function.LongSupplier;

/**
 * The segments of one allocator: their address space, and the tables that describe it.
 *
 * <p>Guarded by the lock of the {@link SpanAllocator} it belongs to. Each operation does all that
 * can fail before it changes anything.
 */
final class SegmentStore {

  private final SpanAllocator owner;
  private final VirtualMemory memory;
  private final PageMap map;
  private final boolean keepsMarks;
  private final SliceMemory slices;
  private final LongSupplier liveBytes;

  private Segment first;
  private int count;
  private long reservedBytes;

  SegmentStore(
      SpanAllocator owner,
      VirtualMemory memory,
      SliceMemory slices,
      PageMap map,
      boolean keepsMarks,
      LongSupplier liveBytes) {
    this.owner = owner;
    this.memory = memory;
    this.map = map;
    this.keepsMarks = keepsMarks;
    this.slices = slices;
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
      slices.commitHuge(segment, bytes);
    } catch (VirtualMemoryException e) {
      remove(segment);
      throw exhausted(bytes, e);
    } catch (OutOfMemoryError e) {
      remove(segment);
      throw e;
    }
    segment.freeSlices = 0;
    return segment;
  }

  /**
   * Adds a huge segment that has the first bytes of another one, whose pages move there.
   *
   * @param moved how many bytes those are
   * @param bytes how many first bytes are committed then, at least as many
   * @return the segment, or null if the operating system does not move pages
   */
  Segment addMoved(Segment from, long moved, long bytes, long alignment) {
    Segment segment = add((bytes - 1) / SEGMENT_BYTES + 1, alignment, true, bytes);
    boolean done = false;
    try {
      done = slices.moveHuge(from, segment, moved, bytes);
    } finally {
      if (!done) {
        remove(segment);
      }
    }
    if (!done) {
      return null;
    }
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
      slices.countRefusedPurge();
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
    slices.decommitOrZero(segment.base, committed);
    remove(segment);
  }

  /** Removes everything, whatever is in it. */
  void close() {
    while (first != null) {
      Segment segment = first;
      if (segment.huge) {
        map.classes().put(segment.base, (byte) SizeClasses.NONE);
        map.owners().put(segment.base, (byte) 0);
        removeHuge(segment, segment.spans[0].largeBytes);
      } else {
        close(segment);
      }
    }
  }

  private void close(Segment segment) {
    for (int slice = 0; slice < SLICES; slice++) {
      map.classes().put(segment.addressOf(slice), (byte) SizeClasses.NONE);
      map.owners().put(segment.addressOf(slice), (byte) 0);
    }
    slices.close(segment);
    remove(segment);
  }

  // ---- the rest

  NativeMemoryExhaustedError exhausted(long requested, VirtualMemoryException cause) {
    return new NativeMemoryExhaustedError(
        requested, liveBytes.getAsLong(), Long.MAX_VALUE, "operating system", cause);
  }

  SpanStats stats(long largeBytes, long largeBlocks) {
    return new SpanStats(
        reservedBytes,
        slices.committedBytes(),
        count,
        largeBytes,
        largeBlocks,
        slices.refusedPurges());
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
