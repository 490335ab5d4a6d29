// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.testkit.FaultyMemory;

/** A small address space with its page map, for one test. */
final class TestSpace implements AutoCloseable {

  final VirtualMemory system = VirtualMemory.system();
  final FaultyMemory memory = new FaultyMemory(system);
  final PageMap map;

  TestSpace(int segments) {
    long bytes = segments * Segment.SEGMENT_BYTES;
    map =
        new PageMap(
            system,
            AddressSpace.reserve(
                system, bytes, bytes, Segment.SEGMENT_BYTES, Segment.SEGMENT_BYTES, Access.NONE));
  }

  SpanAllocator spans(SegmentPool pool) {
    return new SpanAllocator(memory, map, true, pool, () -> 0L);
  }

  /** Gives the segments' range back; the tables are small and stay until the process ends. */
  @Override
  public void close() {
    system.release(map.space().base(), map.space().bytes());
  }
}
