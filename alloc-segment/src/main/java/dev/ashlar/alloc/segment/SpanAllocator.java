// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SEGMENT_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICE_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICE_SHIFT;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.VirtualMemory;
import java.util.function.LongSupplier;

/**
 * Cuts the segments of one allocator into spans: for pages, for large blocks, and, as segments of
 * their own, for huge blocks.
 *
 * <p>A span is taken best fit and coalesced with free neighbours when it is given back. One lock
 * guards everything: {@link FreeSpans}, {@link LargeBlocks} and {@link SegmentStore}. It is taken
 * once for a page of small blocks and once for a large block, and no user code runs under it.
 */
public final class SpanAllocator {

  /** The greatest large block in bytes: a larger one is huge and gets units of its own. */
  public static final long LARGE_BYTES = SEGMENT_BYTES / 2;

  /** The greatest span that is kept for the next large block of its size, in bytes. */
  static final long KEPT_BYTES = SEGMENT_BYTES / 4;

  private final PurgeClock clock;
  private final Purger.Client client;
  private final Runnable drain;
  private final SliceMemory slices;
  private final SegmentStore segments;
  private final PageMap map;
  private final FreeSpans free;
  private final LargeBlocks large;

  private boolean closed;

  /**
   * Makes a span allocator without segments.
   *
   * @param memory the operating system, asked to commit and decommit
   * @param map where segments come from and are entered
   * @param keepsMarks whether the map's table of live blocks is to be writable for its segments
   * @param pool how many empty segments to keep
   * @param purge when and how free memory goes back to the operating system
   * @param liveBytes what to report as live in a {@link NativeMemoryExhaustedError}; called under
   *     the lock
   * @param drain gives pages back that nobody uses; called in each pass, not under the lock
   */
  public SpanAllocator(
      VirtualMemory memory,
      PageMap map,
      boolean keepsMarks,
      SegmentPool pool,
      Purge purge,
      LongSupplier liveBytes,
      Runnable drain) {
    this(memory, map, keepsMarks, pool, purge, liveBytes, drain, Purger.PROCESS);
  }

  SpanAllocator(
      VirtualMemory memory,
      PageMap map,
      boolean keepsMarks,
      SegmentPool pool,
      Purge purge,
      LongSupplier liveBytes,
      Runnable drain,
      Purger purger) {
    Purge policy = purge.on(memory.capabilities());
    this.client = policy.isTimed() && policy.background() ? purger.clientOf(this) : null;
    this.clock = new PurgeClock(policy, memory.clock(), client);
    this.drain = drain;
    this.slices = new SliceMemory(memory);
    this.segments = new SegmentStore(this, memory, slices, map, keepsMarks, liveBytes);
    this.map = map;
    this.free = new FreeSpans(segments, slices, pool, policy, clock);
    this.large =
        new LargeBlocks(
            this,
            free,
            segments,
            slices,
            map,
            clock,
            pool.keptSegments() > 0 && !policy.isImmediate());
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
      free.free(span, clock.read());
      throw e;
    }
    span.kind = Span.Kind.PAGE;
    span.page = page;
    span.segment.enterPage(span);
    OwnedSpans owned = owner.owned();
    if (owned != null) {
      owned.add(span);
    }
    enterClasses(span, owned == null ? sizeClass : sizeClass | SizeClasses.OWNED);
    return page;
  }

  /** Enters in the page map what each slice of a page is to have there. */
  void enterClasses(Span span, int entry) {
    for (int i = 0; i < span.slices; i++) {
      map.classes().put(span.address() + i * SLICE_BYTES, (byte) entry);
    }
  }

  /** Removes the marks of the blocks that begin in a span in use. */
  void clearMarks(Span span) {
    if (keepsMarks()) {
      map.marks().zero(span.address(), span.page == null ? SLICE_BYTES : span.bytes());
    }
  }

  /**
   * Gives a page back. All its blocks must be in its free bitmap; neither the page nor its span may
   * be used afterwards.
   *
   * @param page the page
   */
  public synchronized void givePage(Page page) {
    Span span = page.span();
    OwnedSpans owned = page.owner().owned();
    if (owned != null) {
      owned.remove(span);
    }
    enterClasses(span, SizeClasses.NONE);
    free.free(span, clock.read());
    purgeIfLate();
  }

  /**
   * Takes a large or huge block that is no explicit heap's.
   *
   * @param bytes its usable size, a positive multiple of {@link Segment#SLICE_BYTES}
   * @param alignment the alignment of its address in bytes, a power of two
   * @return the span, whose {@link Span#zero()} says whether its bytes are zero
   * @throws NativeMemoryExhaustedError if there is no memory for it
   * @throws IllegalStateException if this span allocator is closed
   */
  public Span takeLarge(long bytes, long alignment) {
    return takeLarge(null, bytes, alignment);
  }

  /**
   * Takes a large or huge block. It counts as live from now on.
   *
   * @param owner the explicit heap it is to be of, or null
   * @param bytes its usable size, a positive multiple of {@link Segment#SLICE_BYTES}
   * @param alignment the alignment of its address in bytes, a power of two
   * @return the span, whose {@link Span#zero()} says whether its bytes are zero
   * @throws NativeMemoryExhaustedError if there is no memory for it
   * @throws IllegalStateException if this span allocator is closed
   */
  public synchronized Span takeLarge(PageOwner owner, long bytes, long alignment) {
    return large.take(owner, bytes, alignment);
  }

  /**
   * Gives a large or huge block back.
   *
   * @param address any number
   * @return false if no large block of this allocator begins there; nothing has changed then
   */
  public synchronized boolean giveLargeAt(long address) {
    boolean given = large.giveAt(address);
    purgeIfLate();
    return given;
  }

  /** Frees the span that is kept for the next large block of its size, if there is one. */
  synchronized void freeKept() {
    large.freeKept();
  }

  /**
   * Returns the usable size of a large or huge block.
   *
   * @param address any number
   * @return the size in bytes, or -1 if no large block of this allocator begins there
   */
  public synchronized long largeBytesAt(long address) {
    Span span = large.at(address);
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
    return large.resizeAt(address, bytes);
  }

  /**
   * Moves a huge block to where it can have another size, without copying it. Its mark at the old
   * address is gone then, and there is none yet at the new one.
   *
   * @param address any number
   * @param bytes the new usable size, a multiple of {@link Segment#SLICE_BYTES} above {@link
   *     #LARGE_BYTES}
   * @param alignment the alignment of its new address in bytes, a power of two
   * @return the new address, or 0 if no huge block of this allocator begins there or the operating
   *     system does not move pages; nothing has changed then
   * @throws NativeMemoryExhaustedError if there is no address space for it; nothing has changed
   *     then
   * @throws IllegalStateException if this span allocator is closed
   */
  public synchronized long moveHugeAt(long address, long bytes, long alignment) {
    return large.moveHuge(address, bytes, alignment);
  }

  /** Takes a span of committed slices, not yet of any kind but not free either. */
  Span take(int slices, int alignment, long requested) {
    prepare(3);
    return free.take(slices, alignment, requested);
  }

  /**
   * Begins to take or to change spans: the kept one is free from here on, and there are spare
   * objects.
   *
   * @throws IllegalStateException if this span allocator is closed
   */
  void prepare(int spares) {
    if (closed) {
      throw new IllegalStateException("the allocator is closed");
    }
    if (clock.isLateNow()) {
      purgeSome();
    }
    large.freeKept();
    free.ensureSpares(spares);
  }

  // ---- giving memory back

  /**
   * Purges what has been free for as long as the policy says.
   *
   * @return in how many nanoseconds there is more to do, or -1 if nothing is free that is committed
   */
  public long purgeDue() {
    drain.run();
    while (true) { // users of the spans get their turn in between
      synchronized (this) {
        if (purgeSome()) {
          return clock.remaining();
        }
      }
    }
  }

  private void purgeIfLate() {
    if (clock.isLate()) {
      purgeSome();
    }
  }

  /** Does a part of a pass; false if there may be more. */
  private boolean purgeSome() {
    long now = clock.read();
    clock.beginPass();
    large.freeDue(now);
    boolean all = free.purgeDue(now);
    if (all) {
      clock.endPass(now);
    }
    return all;
  }

  /**
   * Gives the operating system everything that is committed and in no span in use, and the address
   * space of segments without one. What it refuses to take stays usable and is counted.
   *
   * @return how many bytes are committed no more
   */
  public synchronized long collect() {
    long before = slices.committedBytes();
    large.freeKept();
    free.purgeAll();
    return before - slices.committedBytes();
  }

  // ---- closing

  /** Gives everything back. No other method but {@link #stats()} may be called afterwards. */
  public synchronized void close() {
    closed = true;
    if (client != null) {
      client.leave();
    }
    segments.close();
    large.close();
  }

  // ---- the rest

  /**
   * Counts what this span allocator holds.
   *
   * @return the counts
   */
  public synchronized SpanStats stats() {
    return segments.stats(large.bytes(), large.blocks());
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
  public boolean keepsMarks() {
    return segments.keepsMarks();
  }

  /**
   * Returns what is reported as live in a {@link NativeMemoryExhaustedError}.
   *
   * @return the size in bytes
   */
  public long liveBytes() {
    return segments.liveBytes();
  }

  /** Counts a refusal by the operating system to take memory back. */
  public synchronized void countRefusedPurge() {
    slices.countRefusedPurge();
  }

  // ---- for walks

  Segment firstSegment() {
    return segments.first();
  }

  SpanQueue queue() {
    return free.queue();
  }

  /** Returns the span that is kept for the next large block of its size, or null. */
  Span kept() {
    return large.kept();
  }

  PurgeClock clock() {
    return clock;
  }

  int emptySegments() {
    return free.emptySegments();
  }
}
