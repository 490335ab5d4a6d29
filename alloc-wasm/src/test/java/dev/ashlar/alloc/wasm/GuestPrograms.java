// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import dev.ashlar.alloc.wasm.NativeLinearMemory.Threads;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * What random programs must find of any allocator: at the beginning of a memory, about 2 GiB, where
 * a 32-bit offset becomes negative, and at the end of the greatest memory.
 */
abstract class GuestPrograms {

  static final int STEPS = 400;

  /** Makes a model of the allocator under test over a memory. */
  abstract GuestModel model(NativeLinearMemory memory, long heapBase, long greatest, long seed);

  @Property(tries = 30)
  void programsAtTheBeginning(@ForAll long seed) {
    run(0, 0, 64, 300_000, seed);
  }

  @Property(tries = 30)
  void programsBehindAnOddHeapBase(@ForAll long seed) {
    run(0x13551, 2, 16, 100_000, seed);
  }

  @Property(tries = 30)
  void programsAbout2GiB(@ForAll long seed) {
    run((1L << 31) - 150_000, 32_766, 32_900, 300_000, seed);
  }

  @Property(tries = 30)
  void programsAtTheEndOfTheGreatestMemory(@ForAll long seed) {
    run((1L << 32) - 1_000_000, LinearMemory.MAX_PAGES - 15, LinearMemory.MAX_PAGES, 200_000, seed);
  }

  private void run(long heapBase, int pages, int maximum, long greatest, long seed) {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(pages, maximum, Threads.ONE)) {
      model(memory, heapBase, greatest, seed).run(STEPS);
    }
  }
}
