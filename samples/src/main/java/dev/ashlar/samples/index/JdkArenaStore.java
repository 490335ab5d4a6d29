// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import java.lang.foreign.Arena;

/**
 * Blocks of the JDK: one confined arena a block, since an arena frees all its segments at once. A
 * resize is a new arena, a copy, and a close.
 */
final class JdkArenaStore implements BlockStore {

  private final Arena[] arenas;

  JdkArenaStore(int slots) {
    arenas = new Arena[slots];
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed when the block is freed
  public long allocate(int slot, long bytes) {
    Arena arena = Arena.ofConfined();
    long address = arena.allocate(bytes).address();
    arenas[slot] = arena;
    return address;
  }

  @Override
  public long reallocate(int slot, long address, long oldBytes, long newBytes) {
    Arena before = arenas[slot];
    long moved = allocate(slot, newBytes);
    OffHeap.copy(address, moved, Math.min(oldBytes, newBytes));
    before.close();
    return moved;
  }

  @Override
  public void free(int slot, long address) {
    arenas[slot].close();
    arenas[slot] = null;
  }

  @Override
  public void close() {
    // Every arena was closed when its block was freed.
  }
}
