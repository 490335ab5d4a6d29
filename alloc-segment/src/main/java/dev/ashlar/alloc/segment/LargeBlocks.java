// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SEGMENT_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICE_SHIFT;
import static dev.ashlar.alloc.segment.SpanAllocator.KEPT_BYTES;
import static dev.ashlar.alloc.segment.SpanAllocator.LARGE_BYTES;

/**
 * The large and huge blocks of a span allocator: a span each, a huge one with a segment of its own.
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
  private final boolean keeps;

  /**
   * The span of the large block that was freed last, or null: programs that allocate and free one
   * large block in turn get it back without cutting and coalescing. Any other use of the spans
   * frees it first.
   */
  private Span kept;

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
   * @param keeps whether the span freed last is kept
   */
  LargeBlocks(
      SpanAllocator spans,
      FreeSpans free,
      SegmentStore segments,
      SliceMemory memory,
      PageMap map,
      boolean keeps) {
    this.spans = spans;
    this.free = free;
    this.segments = segments;
    this.memory = memory;
    this.map = map;
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
      free.free(span);
    }
    return true;
  }

  /** Keeps a span for the next block of its size. */
  private void keep(Span span) {
    span.kind = Span.Kind.KEPT;
    span.largeBytes = 0;
    span.zero = false;
    kept = span;
  }

  /** Frees the span that is kept for the next block of its size, if there is one. */
  void freeKept() {
    Span span = kept;
    if (span != null) {
      kept = null;
      free.free(span);
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
