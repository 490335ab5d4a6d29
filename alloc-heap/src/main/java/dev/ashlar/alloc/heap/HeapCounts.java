// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.SpanAllocator;
import dev.ashlar.alloc.segment.SpanStats;

/**
 * What an allocator's heaps and spans count, summed up. Nothing is counted on a fast path: blocks
 * that are live are those that are out of their pages and in no magazine or depot.
 */
final class HeapCounts {

  private final HeapTable table;
  private final SpanAllocator spans;

  HeapCounts(HeapTable table, SpanAllocator spans) {
    this.table = table;
    this.spans = spans;
  }

  /** Returns how many blocks of a small or medium class are given out. */
  long live(int sizeClass) {
    return Math.max(0, table.set().out(sizeClass) - table.set().cached(sizeClass));
  }

  /** Returns how many bytes are in blocks that are given out. */
  long liveBytes() {
    long bytes = spans.stats().largeBytes();
    for (int c = 1; c <= SizeClasses.LAST_MEDIUM; c++) {
      bytes += live(c) * SizeClasses.bytes(c);
    }
    return bytes;
  }

  AllocatorStats stats() {
    synchronized (table) { // so that nobody drains a dead thread's heap meanwhile
      return sumUp();
    }
  }

  private AllocatorStats sumUp() {
    SpanStats held = spans.stats();
    long bytes = held.largeBytes();
    long blocks = held.largeBlocks();
    long cachedBytes = 0;
    for (int c = 1; c <= SizeClasses.LAST_MEDIUM; c++) {
      long live = live(c);
      blocks += live;
      bytes += live * SizeClasses.bytes(c);
      cachedBytes += table.set().cached(c) * SizeClasses.bytes(c);
    }
    return new AllocatorStats(
        bytes,
        blocks,
        cachedBytes,
        held.committedBytes(),
        held.reservedBytes(),
        held.segments(),
        table.set().all().length,
        table.adoptions(),
        table.set().remoteFrees(),
        held.refusedPurges());
  }
}
