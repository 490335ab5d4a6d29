// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.testkit.FakeClock;
import dev.ashlar.alloc.testkit.FaultyMemory;

/** A small address space with its page map, for one test. */
final class TestSpace implements AutoCloseable {

  final VirtualMemory system = VirtualMemory.system();
  final FakeClock clock = new FakeClock();
  final FaultyMemory memory;
  final PageMap map;

  TestSpace(int segments) {
    this(segments, VirtualMemory.system());
  }

  /** Makes a space whose span allocators see another operating system than its tables. */
  TestSpace(int segments, VirtualMemory seen) {
    memory = new FaultyMemory(seen, clock);
    long bytes = segments * Segment.SEGMENT_BYTES;
    map =
        new PageMap(
            system,
            AddressSpace.reserve(
                system, bytes, bytes, Segment.SEGMENT_BYTES, Segment.SEGMENT_BYTES, Access.NONE));
  }

  SpanAllocator spans(SegmentPool pool) {
    return spans(pool, Purge.never());
  }

  SpanAllocator spans(SegmentPool pool, Purge purge) {
    return spans(pool, purge, () -> {}, Purger.PROCESS);
  }

  SpanAllocator spans(SegmentPool pool, Purge purge, Runnable drain, Purger purger) {
    return new SpanAllocator(memory, map, true, pool, purge, () -> 0L, drain, purger);
  }

  /** Gives the segments' range back; the tables are small and stay until the process ends. */
  @Override
  public void close() {
    system.release(map.space().base(), map.space().bytes());
  }
}
