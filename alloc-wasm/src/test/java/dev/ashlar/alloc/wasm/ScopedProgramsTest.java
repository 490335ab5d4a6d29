// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random programs on a scoped allocator, without marks and with marks. */
class ScopedProgramsTest extends GuestPrograms {

  @Override
  GuestModel model(NativeLinearMemory memory, long heapBase, long greatest, long seed) {
    return new GuestModel(
        memory,
        new ScopedAllocator(memory, heapBase, false),
        Math.max(heapBase, 16),
        greatest,
        seed);
  }

  @Property(tries = 60)
  void programsWithScopes(@ForAll long seed, @ForAll boolean poisons) {
    try (NativeLinearMemory memory =
        NativeLinearMemory.reserve(1, 40, NativeLinearMemory.Threads.ONE)) {
      new ScopedModel(memory, new ScopedAllocator(memory, 100, poisons), seed).run(STEPS);
    }
  }

  /** Marks and resets at random; a block is gone with the scope that it was made in. */
  private static final class ScopedModel extends GuestModel {

    private final ScopedAllocator scoped;
    private final Deque<Set<Long>> outer = new ArrayDeque<>();

    ScopedModel(NativeLinearMemory memory, ScopedAllocator allocator, long seed) {
      super(memory, allocator, 100, 60_000, seed);
      this.scoped = allocator;
    }

    @Override
    void step() {
      switch (random.nextInt(20)) {
        case 0 -> {
          scoped.mark();
          outer.push(Set.copyOf(live.keySet()));
        }
        case 1 -> reset();
        default -> super.step();
      }
    }

    @Override
    void run(int steps) {
      super.run(steps);
      while (!outer.isEmpty()) {
        reset();
      }
    }

    private void reset() {
      if (outer.isEmpty()) {
        return;
      }
      scoped.reset(scoped.depth());
      Set<Long> kept = new HashSet<>(outer.pop());
      for (long offset : List.copyOf(live.keySet())) {
        if (!kept.contains(offset)) {
          forget(offset);
        }
      }
    }
  }
}
