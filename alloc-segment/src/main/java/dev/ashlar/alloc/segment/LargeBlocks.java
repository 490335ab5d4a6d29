// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SEGMENT_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICE_SHIFT;
import static dev.ashlar.alloc.segment.SpanAllocator.KEPT_BYTES;
import static dev.ashlar.alloc.segment.SpanAllocator.LARGE_BYTES;

/**
 * The large and huge blocks of a span allocator: a span each, a huge one with a segment of its own.
 *
 * <p>The span of the large block that was freed last is <em>kept</em>: programs that allocate and
 * free one large block in turn get it back without cutting and coalescing, and without a reading of
 * the clock. Any other use of the spans frees it first, or a pass of the {@link PurgeClock} does
 * when it has been kept for the delay:
 *
 * <pre>
 *   NONE       nothing is kept
 *   KEPT       since keptAt
 *   KEPT AGAIN since some time after keptAt, until a pass notes when it sees it
 *   LENT       as NONE, but known to be the last that was kept
 *
 *   any --another span is freed: reads the clock--> KEPT
 *   KEPT, KEPT AGAIN --taken again--> LENT --freed again: no reading--> KEPT AGAIN
 *   KEPT AGAIN --pass at t--> KEPT since t
 *   KEPT --pass, a delay later--> NONE, its memory purged
 * </pre>
 *
 * <p>So a span that is taken and freed all the time is not purged; one that is left alone is purged
 * when it has been free for the delay, or for up to a pass longer. A pass is certain to come, as
 * keeping a span makes the clock pending, with a reading, where nothing else has.
 *
 * <p>Guarded by the span allocator's lock. Each operation does all that can fail before it changes
 * anything.
 */
final class LargeBlocks {

  private final SpanAllocator spans;
  private final FreeSpans free;
  private final SegmentStore segments;
  private final SliceMemory memory;
  private final PageMap map;
  private final PurgeClock clock;
  private final boolean keeps;

  /** The span of the large block that was freed last, or null. */
  private Span kept;

  /** The span that was kept last: {@link #kept} or, while that is null, what may be kept again. */
  private Span lastKept;

  private long keptAt;
  private boolean keptAgain;

  private long bytes;
  private long blocks;

  /**
   * Makes an empty set of blocks.
   *
   * @param spans what the blocks belong to
   * @param free where spans come from and go back to
   * @param segments where segments for huge blocks come from
   * @param memory the memory of those segments
   * @param map where blocks are entered
   * @param clock what says when the kept span is purged
   * @param keeps whether the span freed last is kept
   */
  LargeBlocks(
      SpanAllocator spans,
      FreeSpans free,
      SegmentStore segments,
      SliceMemory memory,
      PageMap map,
      PurgeClock clock,
      boolean keeps) {
    this.spans = spans;
    this.free = free;
    this.segments = segments;
    this.memory = memory;
    this.map = map;
    this.clock = clock;
    this.keeps = keeps;
  }

  /** Takes a block of a whole number of slices; see {@link SpanAllocator#takeLarge}. */
  Span take(PageOwner owner, long size, long alignment) {
    Span span = kept;
    if (span != null && span.bytes() == size && (span.address() & alignment - 1) == 0) {
      kept = null;
    } else if (size > LARGE_BYTES || alignment > LARGE_BYTES) {
      span = takeHuge(size, Math.max(alignment, SEGMENT_BYTES));
    } else {
      int slices = (int) (size >>> SLICE_SHIFT);
      span = spans.take(slices, (int) Math.max(1, alignment >>> SLICE_SHIFT), size);
    }
    span.kind = Span.Kind.LARGE;
    span.largeBytes = size;
    span.owner = owner;
    if (owner != null) {
      owner.owned().add(span);
    }
    map.classes().put(span.address(), (byte) SizeClasses.LARGE);
    bytes += size;
    blocks++;
    return span;
  }

  private Span takeHuge(long size, long alignment) {
    spans.prepare(1);
    Segment segment = segments.addHuge(size, alignment);
    Span span = free.spare().set(segment, 0, 1, Span.Kind.LARGE);
    segment.spans[0] = span;
    span.zero = true;
    return span;
  }

  /** Gives the block at an address back; false if none begins there. */
  boolean giveAt(long address) {
    Span span = at(address);
    if (span == null) {
      return false;
    }
    bytes -= span.largeBytes;
    blocks--;
    if (span.owner != null) {
      span.owner.owned().remove(span);
      span.owner = null;
    }
    map.classes().put(address, (byte) SizeClasses.NONE);
    if (span.segment.huge) {
      segments.removeHuge(span.segment, span.largeBytes);
      free.recycle(span);
    } else if (keeps && span.bytes() <= KEPT_BYTES) {
      freeKept();
      keep(span);
    } else {
      free.free(span, clock.read());
    }
    return true;
  }

  /** Keeps a span for the next block of its size. */
  private void keep(Span span) {
    span.kind = Span.Kind.KEPT;
    span.largeBytes = 0;
    span.zero = false;
    kept = span;
    keptAgain = span == lastKept && clock.isPending();
    if (!keptAgain) {
      lastKept = span;
      keptAt = clock.read();
      clock.pend(keptAt);
    }
  }

  /** Frees the span that is kept for the next block of its size, if there is one. */
  void freeKept() {
    Span span = kept;
    if (span != null) {
      kept = null;
      lastKept = null;
      free.free(span, keptAgain ? clock.read() : keptAt);
    }
  }

  /** Frees the kept span in a pass, if it is due. */
  void freeDue(long now) {
    if (kept != null) {
      if (keptAgain) {
        keptAgain = false;
        keptAt = now;
      }
      if (clock.isDue(keptAt, now)) {
        freeKept();
      } else {
        clock.carry(keptAt);
      }
    }
  }

  /** Changes the size of the block at an address where it is; false if that cannot be done. */
  boolean resizeAt(long address, long size) {
    Span span = at(address);
    if (span == null) {
      return false;
    }
    long old = span.largeBytes;
    boolean done = span.segment.huge ? resizeHuge(span, size) : resizeLarge(span, size);
    if (done) {
      bytes += size - old;
      span.largeBytes = size;
    }
    return done;
  }

  private boolean resizeLarge(Span span, long size) {
    if (size > LARGE_BYTES) {
      return false;
    }
    if (size == span.largeBytes) {
      return true;
    }
    spans.prepare(1);
    return free.resize(span, (int) (size >>> SLICE_SHIFT));
  }

  private boolean resizeHuge(Span span, long size) {
    Segment segment = span.segment;
    // No more than a part of the last unit may be idle.
    return size <= segment.bytes
        && size > segment.bytes - SEGMENT_BYTES
        && memory.recommitHuge(segment, span.largeBytes, size);
  }

  /**
   * Moves the pages of a huge block to where it can have another size, which takes no copying.
   *
   * @return its new address, or 0 if no huge block begins there or the operating system does not
   *     move pages; nothing has changed then
   */
  long moveHuge(long address, long size, long alignment) {
    Span span = at(address);
    if (span == null || !span.segment.huge) {
      return 0;
    }
    spans.prepare(0);
    Segment from = span.segment;
    long old = span.largeBytes;
    long moved = Math.min(old, size);
    Segment to = segments.addMoved(from, moved, size, Math.max(alignment, SEGMENT_BYTES));
    if (to == null) {
      return 0;
    }
    PageOwner owner = span.owner;
    if (owner != null) {
      owner.owned().remove(span);
    }
    map.classes().put(address, (byte) SizeClasses.NONE);
    span.set(to, 0, 1, Span.Kind.LARGE);
    span.largeBytes = size;
    span.owner = owner;
    to.spans[0] = span;
    if (owner != null) {
      owner.owned().add(span);
    }
    map.classes().put(span.address(), (byte) SizeClasses.LARGE);
    bytes += size - old;
    if (old > moved) {
      memory.decommitOrZero(from.base + moved, old - moved);
    }
    segments.remove(from);
    return span.address();
  }

  /** Returns the span of the block that begins at an address, or null. */
  Span at(long address) {
    Segment segment = map.segmentAt(address);
    if (segment == null || segment.owner != spans) {
      return null;
    }
    Span span = segment.spanAt(address);
    return span != null && span.kind == Span.Kind.LARGE && span.address() == address ? span : null;
  }

  /** Forgets all blocks, whose segments are gone. */
  void close() {
    kept = null;
    lastKept = null;
    bytes = 0;
    blocks = 0;
  }

  /** Returns the usable bytes of all blocks. */
  long bytes() {
    return bytes;
  }

  /** Returns how many blocks there are. */
  long blocks() {
    return blocks;
  }

  /** Returns the span that is kept for the next block of its size, or null. */
  Span kept() {
    return kept;
  }
}
