// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.segment.Purge;
import dev.ashlar.alloc.segment.SpanAllocator;
import dev.ashlar.alloc.testkit.FakeClock;
import dev.ashlar.alloc.testkit.FaultyMemory;

/**
 * The program of {@link MemoryReturnTest} that runs in a process of its own: allocates 512 MiB in
 * blocks of 64 KiB, touches and frees them, and prints how much memory is resident before, with the
 * blocks, after they are freed, and after a pass when they are due or a collection.
 */
final class BurstOfBlocks {

  private static final int BLOCK = 64 << 10;
  private static final int BLOCKS = 8 << 10;
  private static final long DELAY = 1_000_000_000;

  private BurstOfBlocks() {}

  public static void main(String[] args) {
    FakeClock clock = new FakeClock();
    FaultyMemory memory = new FaultyMemory(VirtualMemory.system(), clock);
    Purge purge = Purge.DEFAULT.withDelayNanos(DELAY).withBackground(false);
    try (Allocator allocator =
        HeapAllocator.open(AllocatorOptions.defaults().withMemory(memory).withPurge(purge))) {
      RawAllocator raw = allocator.raw();
      long[] blocks = new long[BLOCKS];
      raw.free(raw.malloc(BLOCK));
      SpanAllocator spans = ((SegmentFace) allocator).engine().spans();
      resident();
      StringBuilder line = new StringBuilder("resident");
      line.append(' ').append(resident());
      for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = raw.malloc(BLOCK);
        RawMemory.fill(blocks[i], BLOCK, (byte) 1);
      }
      line.append(' ').append(resident());
      for (long block : blocks) {
        raw.free(block);
      }
      line.append(' ').append(resident());
      if (args[0].equals("collect")) {
        spans.collect();
      } else {
        clock.advance(DELAY);
        spans.purgeDue();
      }
      System.out.println(line.append(' ').append(resident()));
    }
  }

  private static long resident() {
    return VirtualMemory.system().processMemory().residentBytes();
  }
}
