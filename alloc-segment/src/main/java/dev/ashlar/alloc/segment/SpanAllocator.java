package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SEGMENT_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICES;
import static dev.ashlar.alloc.segment.Segment.SLICE_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICE_SHIFT;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.function.LongSupplier;

/**
 * Cuts the segments of one allocator into spans: for pages, for large blocks, and, as segments of their
 * own, for huge blocks.
 *
 * <p>A span is taken best fit and coalesced with free neighbours when it is given back. One lock guards
 * everything; it is taken once for a page of small blocks and once for a large block, and no user code
 * runs under it.
 *
 * <p>Each operation does all that can fail before it changes anything: Java objects are made first, then
 * memory is committed, then spans are cut.
 */
public final class SpanAllocator {

  /** The greatest large block in bytes: a larger one is huge and gets units of its own. */
  public static final long LARGE_BYTES = SEGMENT_BYTES / 2;

  /** How many slices are committed together where committing costs nothing, a power of two. */
  private static final int COMMIT_AHEAD = 16;

  private final VirtualMemory memory;
  private final PageMap map;
  private final boolean tracksBlocks;
  private final SegmentPool pool;
  private final int commitAhead;
  private final LongSupplier liveBytes;

  private final SpanQueue queue = new SpanQueue();
  private Segment segments;
  private int emptySegments;

  /** Spare span objects, linked by {@code next}, so that cutting and coalescing makes no garbage. */
  private Span spares;

  private int spareCount;

  private long reservedBytes;
  private long committedBytes;
  private int segmentCount;
  private long largeBytes;
  private long largeBlocks;
  private long refusedPurges;
  private boolean closed;

  /**
   * Makes a span allocator without segments.
   *
   * @param memory the operating system, asked to commit and decommit
   * @param map where segments come from and are entered
   * @param tracksBlocks whether the map's table of live blocks is to be writable for its segments
   * @param pool how many empty segments to keep
   * @param liveBytes what to report as live in a {@link NativeMemoryExhaustedError}; called under the
   *     lock
   */
  public SpanAllocator(
      VirtualMemory memory,
      PageMap map,
      boolean tracksBlocks,
      SegmentPool pool,
      LongSupplier liveBytes) {
    this.memory = memory;
    this.map = map;
    this.tracksBlocks = tracksBlocks;
    this.pool = pool;
    this.commitAhead = memory.capabilities().commitIsFree() ? COMMIT_AHEAD : 1;
    this.liveBytes = liveBytes;
  }

  /**
   * Takes a page.
   *
   * @param owner who is to own it
   * @param sizeClass the class of its blocks, small or medium
   * @return the page, all blocks free
   * @throws NativeMemoryExhaustedError if there is no memory for it
   * @throws IllegalStateException if this span allocator is closed
   */
  public synchronized Page takePage(PageOwner owner, int sizeClass) {
    int slices = SizeClasses.pageSlices(sizeClass);
    Span span = take(slices, 1, (long) slices << SLICE_SHIFT);
    Page page;
    try {
      page = new Page(owner, span, sizeClass);
    } catch (OutOfMemoryError e) {
      free(span);
      throw e;
    }
    span.kind = Span.Kind.PAGE;
    span.page = page;
    for (int i = 0; i < slices; i++) {
      map.classes().put(span.address() + i * SLICE_BYTES, (byte) sizeClass);
    }
    return page;
  }

  /**
   * Gives a page back. All its blocks must be in its free bitmap; neither the page nor its span may be
   * used afterwards.
   *
   * @param page the page
   */
  public synchronized void givePage(Page page) {
    Span span = page.span();
    for (int i = 0; i < span.slices; i++) {
      map.classes().put(span.address() + i * SLICE_BYTES, (byte) SizeClasses.NONE);
    }
    free(span);
  }

  /**
   * Takes a large or huge block. It counts as live from now on.
   *
   * @param bytes its usable size, a positive multiple of {@link Segment#SLICE_BYTES}
   * @param alignment the alignment of its address in bytes, a power of two
   * @return the span, whose {@link Span#zero()} says whether its bytes are zero
   * @throws NativeMemoryExhaustedError if there is no memory for it
   * @throws IllegalStateException if this span allocator is closed
   */
  public synchronized Span takeLarge(long bytes, long alignment) {
    Span span =
        bytes > LARGE_BYTES || alignment > LARGE_BYTES
            ? takeHuge(bytes, Math.max(alignment, SEGMENT_BYTES))
            : take(
                (int) (bytes >>> SLICE_SHIFT),
                (int) Math.max(1, alignment >>> SLICE_SHIFT),
                bytes);
    span.kind = Span.Kind.LARGE;
    span.largeBytes = bytes;
    map.classes().put(span.address(), (byte) SizeClasses.LARGE);
    largeBytes += bytes;
    largeBlocks++;
    return span;
  }

  /**
   * Gives a large or huge block back.
   *
   * @param address any number
   * @return false if no large block of this allocator begins there; nothing has changed then
   */
  public synchronized boolean giveLargeAt(long address) {
    Span span = largeAt(address);
    if (span == null) {
      return false;
    }
    largeBytes -= span.largeBytes;
    largeBlocks--;
    map.classes().put(address, (byte) SizeClasses.NONE);
    if (span.segment.huge) {
      release(span.segment, span.largeBytes);
      recycle(span);
    } else {
      free(span);
    }
    return true;
  }

  /**
   * Returns the usable size of a large or huge block.
   *
   * @param address any number
   * @return the size in bytes, or -1 if no large block of this allocator begins there
   */
  public synchronized long largeBytesAt(long address) {
    Span span = largeAt(address);
    return span == null ? -1 : span.largeBytes;
  }

  /**
   * Changes the size of a large or huge block without moving it.
   *
   * @param address where a large block of this allocator begins
   * @param bytes the new usable size, a positive multiple of {@link Segment#SLICE_BYTES}
   * @return false if that cannot be done; nothing has changed then
   */
  public synchronized boolean resizeLargeAt(long address, long bytes) {
    Span span = largeAt(address);
    if (span == null) {
      return false;
    }
    long old = span.largeBytes;
    boolean done =
        span.segment.huge
            ? resizeHuge(span, bytes)
            : bytes <= LARGE_BYTES && resize(span, (int) (bytes >>> SLICE_SHIFT));
    if (done) {
      largeBytes += bytes - old;
      span.largeBytes = bytes;
    }
    return done;
  }

  /** Returns the span of the large block that begins at an address, or null. */
  private Span largeAt(long address) {
    Segment segment = map.segmentAt(address);
    if (segment == null || segment.owner != this) {
      return null;
    }
    Span span = segment.spanAt(address);
    return span != null && span.kind == Span.Kind.LARGE && span.address() == address ? span : null;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the allocator is closed");
    }
  }

  // ---- spans of ordinary segments

  /** Takes a span of committed slices, not yet of any kind but not free either. */
  private Span take(int slices, int alignment, long requested) {
    checkOpen();
    ensureSpares(3);
    Span found = find(slices, alignment);
    Segment added = null;
    if (found == null) {
      added = addSegment(requested);
      found = added.spans[0];
    }
    Segment segment = found.segment;
    int first = found.first + alignment - 1 & -alignment;
    boolean zero;
    try {
      zero = commit(segment, first, slices);
    } catch (VirtualMemoryException e) {
      if (added != null) {
        removeFreeSegment(added);
      }
      throw exhausted(requested, e);
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
    span.segment.enterFree(span);
    queue.add(span);
  }

  /** Frees a span, coalescing it with free neighbours, and its segment if that is now superfluous. */
  private void free(Span span) {
    Segment segment = span.segment;
    int first = span.first;
    int end = first + span.slices;
    segment.freeSlices += span.slices;
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
    if (segment.freeSlices == SLICES) {
      emptySegments++;
      if (emptySegments > pool.keptSegments()) {
        purgeAndRemove(segment);
      }
    }
  }

  private boolean resize(Span span, int slices) {
    Segment segment = span.segment;
    int end = span.first + span.slices;
    int more = slices - span.slices;
    if (more == 0) {
      return true;
    }
    ensureSpares(1);
    if (more < 0) {
      Span tail = spare().set(segment, span.first + slices, -more, Span.Kind.LARGE);
      span.slices = slices;
      segment.enter(tail);
      free(tail);
      return true;
    }
    Span after = end < SLICES ? segment.spans[end] : null;
    if (after == null || after.kind != Span.Kind.FREE || after.slices < more) {
      return false;
    }
    try {
      commit(segment, end, more);
    } catch (VirtualMemoryException e) {
      return false;
    }
    segment.freeSlices -= more;
    recycle(cut(after, end, more));
    span.slices = slices;
    segment.enter(span);
    return true;
  }

  /**
   * Commits a run of slices for use.
   *
   * @return whether all of it is known to be zero
   */
  private boolean commit(Segment segment, int first, int slices) {
    byte[] states = segment.states;
    boolean zero = true;
    int end = first + slices;
    for (int i = first; i < end; i++) {
      if (states[i] == SliceState.RESERVED) {
        commitFrom(segment, i, end);
      }
      zero &= states[i] == SliceState.ZERO;
    }
    java.util.Arrays.fill(states, first, end, SliceState.DIRTY);
    return zero;
  }

  /** Commits the reserved slices from one on, a little further than needed where that is free. */
  private void commitFrom(Segment segment, int from, int end) {
    byte[] states = segment.states;
    int needed = from;
    while (needed < end && states[needed] == SliceState.RESERVED) {
      needed++;
    }
    int ahead = needed;
    int limit = needed + commitAhead - 1 & -commitAhead;
    while (ahead < limit && states[ahead] == SliceState.RESERVED) {
      ahead++;
    }
    long bytes = (long) (ahead - from) << SLICE_SHIFT;
    memory.commit(segment.addressOf(from), bytes);
    committedBytes += bytes;
    java.util.Arrays.fill(states, from, ahead, SliceState.ZERO);
  }

  // ---- segments

  private Segment addSegment(long requested) {
    Segment segment = newSegment(1, SEGMENT_BYTES, false, requested);
    addFree(spare().set(segment, 0, SLICES, Span.Kind.FREE));
    emptySegments++;
    return segment;
  }

  private Segment newSegment(long units, long alignment, boolean huge, long requested) {
    AddressSpace space = map.space();
    long base = space.take(units, alignment);
    if (base == AddressSpace.NO_RUN) {
      throw new NativeMemoryExhaustedError(
          requested, liveBytes.getAsLong(), space.bytes(), "address space", null);
    }
    long bytes = units * SEGMENT_BYTES;
    Segment segment;
    try {
      segment = new Segment(this, base, bytes, huge);
      if (tracksBlocks) {
        map.blocks().commit(memory, base, bytes);
      }
    } catch (VirtualMemoryException e) {
      space.give(base, units);
      throw exhausted(requested, e);
    } catch (OutOfMemoryError e) {
      space.give(base, units);
      throw e;
    }
    map.put(base, bytes, segment);
    segment.next = segments;
    if (segments != null) {
      segments.previous = segment;
    }
    segments = segment;
    segmentCount++;
    reservedBytes += bytes;
    return segment;
  }

  /** Gives an empty segment's memory back and removes it; keeps it if the system refuses. */
  private void purgeAndRemove(Segment segment) {
    byte[] states = segment.states;
    int from = 0;
    while (from < SLICES) {
      int end = from + 1;
      if (states[from] != SliceState.RESERVED) {
        while (end < SLICES && states[end] != SliceState.RESERVED) {
          end++;
        }
        long bytes = (long) (end - from) << SLICE_SHIFT;
        try {
          memory.decommit(segment.addressOf(from), bytes);
        } catch (VirtualMemoryException e) {
          refusedPurges++;
          return;
        }
        committedBytes -= bytes;
        java.util.Arrays.fill(states, from, end, SliceState.RESERVED);
      }
      from = end;
    }
    removeFreeSegment(segment);
  }

  /** Removes a segment that has no span in use and no committed slice. */
  private void removeFreeSegment(Segment segment) {
    Span whole = segment.spans[0];
    queue.remove(whole);
    recycle(whole);
    emptySegments--;
    unlink(segment);
  }

  private void unlink(Segment segment) {
    if (tracksBlocks && !map.blocks().clear(memory, segment.base, segment.bytes)) {
      refusedPurges++;
    }
    map.put(segment.base, segment.bytes, null);
    if (segment.previous == null) {
      segments = segment.next;
    } else {
      segment.previous.next = segment.next;
    }
    if (segment.next != null) {
      segment.next.previous = segment.previous;
    }
    segmentCount--;
    reservedBytes -= segment.bytes;
    map.space().give(segment.base, segment.bytes / SEGMENT_BYTES);
  }

  // ---- huge blocks

  private Span takeHuge(long bytes, long alignment) {
    checkOpen();
    ensureSpares(1);
    long units = (bytes - 1) / SEGMENT_BYTES + 1;
    Segment segment = newSegment(units, alignment, true, bytes);
    try {
      memory.commit(segment.base, bytes);
    } catch (VirtualMemoryException e) {
      unlink(segment);
      throw exhausted(bytes, e);
    }
    committedBytes += bytes;
    Span span = spare().set(segment, 0, 1, Span.Kind.LARGE);
    segment.spans[0] = span;
    segment.states[0] = SliceState.DIRTY;
    segment.freeSlices = 0;
    span.zero = true;
    return span;
  }

  private boolean resizeHuge(Span span, long bytes) {
    Segment segment = span.segment;
    long old = span.largeBytes;
    if (bytes > segment.bytes || bytes <= segment.bytes - SEGMENT_BYTES) {
      return false;
    }
    try {
      if (bytes > old) {
        memory.commit(segment.base + old, bytes - old);
      } else if (bytes < old) {
        memory.decommit(segment.base + bytes, old - bytes);
      }
    } catch (VirtualMemoryException e) {
      return false;
    }
    committedBytes += bytes - old;
    return true;
  }

  /** Gives a segment's memory and address space back, whatever is in it. */
  private void release(Segment segment, long committed) {
    committedBytes -= committed;
    try {
      memory.decommit(segment.base, committed);
    } catch (VirtualMemoryException e) {
      // Its next user counts on zeros.
      refusedPurges++;
      RawMemory.fill(segment.base, committed, (byte) 0);
    }
    unlink(segment);
  }

  // ---- closing

  /** Gives everything back. No other method but {@link #stats()} may be called afterwards. */
  public synchronized void close() {
    closed = true;
    while (segments != null) {
      Segment segment = segments;
      if (segment.huge) {
        map.classes().put(segment.base, (byte) SizeClasses.NONE);
        release(segment, segment.spans[0].largeBytes);
      } else {
        close(segment);
      }
    }
    largeBytes = 0;
    largeBlocks = 0;
  }

  private void close(Segment segment) {
    int from = 0;
    for (int slice = 0; slice <= SLICES; slice++) {
      if (slice < SLICES) {
        map.classes().put(segment.addressOf(slice), (byte) SizeClasses.NONE);
      }
      if (slice == SLICES || segment.states[slice] == SliceState.RESERVED) {
        if (slice > from) {
          decommitOrZero(segment.addressOf(from), (long) (slice - from) << SLICE_SHIFT);
        }
        from = slice + 1;
      }
    }
    unlink(segment);
  }

  private void decommitOrZero(long address, long bytes) {
    committedBytes -= bytes;
    try {
      memory.decommit(address, bytes);
    } catch (VirtualMemoryException e) {
      refusedPurges++;
      RawMemory.fill(address, bytes, (byte) 0);
    }
  }

  // ---- the rest

  private NativeMemoryExhaustedError exhausted(long requested, VirtualMemoryException cause) {
    return new NativeMemoryExhaustedError(
        requested, liveBytes.getAsLong(), Long.MAX_VALUE, "operating system", cause);
  }

  private void ensureSpares(int count) {
    while (spareCount < count) {
      recycle(new Span());
    }
  }

  private Span spare() {
    Span span = spares;
    spares = span.next;
    span.next = null;
    spareCount--;
    return span;
  }

  private void recycle(Span span) {
    span.set(null, 0, 0, Span.Kind.FREE);
    span.previous = null;
    span.next = spares;
    spares = span;
    spareCount++;
  }

  /**
   * Counts what this span allocator holds.
   *
   * @return the counts
   */
  public synchronized SpanStats stats() {
    return new SpanStats(
        reservedBytes, committedBytes, segmentCount, largeBytes, largeBlocks, refusedPurges);
  }

  /**
   * Returns where segments come from and are entered.
   *
   * @return the page map
   */
  public PageMap map() {
    return map;
  }

  /**
   * Tells whether the map's table of live blocks is kept for this allocator's segments.
   *
   * @return true if it is
   */
  public boolean tracksBlocks() {
    return tracksBlocks;
  }

  /**
   * Returns what is reported as live in a {@link NativeMemoryExhaustedError}.
   *
   * @return the size in bytes
   */
  public long liveBytes() {
    return liveBytes.getAsLong();
  }

  /** Counts a refusal by the operating system to take memory back. */
  public synchronized void countRefusedPurge() {
    refusedPurges++;
  }

  /** The list of segments and the queue, for {@link Invariants}. */
  Segment firstSegment() {
    return segments;
  }

  SpanQueue queue() {
    return queue;
  }

  int emptySegments() {
    return emptySegments;
  }
}
