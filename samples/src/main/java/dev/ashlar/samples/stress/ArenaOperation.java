// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Opens an arena, allocates from it, and closes it. */
final class ArenaOperation implements StressOperation {

  private static final int MOST_SEGMENTS = 20;

  @Override
  public void run(StressWorker worker, StepRandom random) {
    MemorySegment[] segments = new MemorySegment[1 + random.nextInt(MOST_SEGMENTS)];
    // Closing a shared arena stops all threads for a moment, so there are few of them.
    try (Arena arena =
        random.once(16)
            ? worker.blocks().allocator().newSharedArena()
            : worker.blocks().allocator().newConfinedArena()) {
      for (int i = 0; i < segments.length; i++) {
        segments[i] = arena.allocate(1 + random.nextSkewed(20_000), 1L << random.nextInt(8));
        requireZero(segments[i], 0);
        requireZero(segments[i], segments[i].byteSize() - 1);
        segments[i].fill((byte) (worker.number() + i));
      }
      for (int i = 0; i < segments.length; i++) {
        require(segments[i], 0, (byte) (worker.number() + i));
        require(segments[i], segments[i].byteSize() - 1, (byte) (worker.number() + i));
      }
    }
  }

  private static void requireZero(MemorySegment segment, long offset) {
    require(segment, offset, (byte) 0);
  }

  private static void require(MemorySegment segment, long offset, byte expected) {
    byte found = segment.get(ValueLayout.JAVA_BYTE, offset);
    if (found != expected) {
      throw new StressFault(
          "a segment of an arena, "
              + segment
              + ", has "
              + found
              + " instead of "
              + expected
              + " at offset "
              + offset);
    }
  }
}
