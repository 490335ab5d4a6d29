// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

import dev.ashlar.benchmarks.adapters.ArenaAdapter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** An arena for each block, or for each request. */
@SuppressWarnings("ArrayRecordComponent") // records fold, and nobody compares these
record ArenaBlocks(ArenaAdapter adapter, ArenaBlock[] table) implements Blocks {

  private static final long ALIGNMENT = 16; // what malloc gives

  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(ArenaBlock[].class);

  /** A block and the arena that is its own. */
  record ArenaBlock(Arena arena, MemorySegment segment) {}

  static ArenaBlocks over(ArenaAdapter adapter, int slots) {
    return new ArenaBlocks(adapter, new ArenaBlock[slots]);
  }

  @Override
  public void pair(long size, long tag) {
    try (Arena arena = adapter.newArena()) {
      stamp(arena.allocate(size, ALIGNMENT), size, tag);
    }
  }

  @Override
  public void zeroedPair(long size, long tag) {
    pair(size, tag); // arenas always give zeroed memory
  }

  @Override
  public void put(int slot, long size, long tag) {
    table[slot] = take(size, tag);
  }

  @Override
  public void free(int slot) {
    table[slot].arena().close();
  }

  @Override
  public void swap(int slot, long size, long tag) {
    ((ArenaBlock) ELEMENT.getAndSet(table, slot, take(size, tag))).arena().close();
  }

  @Override
  public void resize(int slot, long oldSize, long newSize) {
    ArenaBlock old = table[slot];
    Arena arena = adapter.newArena();
    MemorySegment segment = arena.allocate(newSize, ALIGNMENT);
    MemorySegment.copy(old.segment(), 0, segment, 0, Math.min(oldSize, newSize));
    table[slot] = new ArenaBlock(arena, segment);
    old.arena().close();
  }

  @Override
  public void putByte(int slot, long offset, byte value) {
    table[slot].segment().set(ValueLayout.JAVA_BYTE, offset, value);
  }

  @Override
  public void putLong(int slot, long offset, long value) {
    table[slot].segment().set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
  }

  @Override
  public long getLong(int slot, long offset) {
    return table[slot].segment().get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
  }

  @Override
  public void request(int firstSlot, int count, Xorshift random, int least, int span) {
    try (Arena arena = adapter.newArena()) {
      for (int i = 0; i < count; i++) {
        long size = Xorshift.size(random.next(), least, span);
        MemorySegment segment = arena.allocate(size, ALIGNMENT);
        stamp(segment, size, i);
        table[firstSlot + i] = new ArenaBlock(arena, segment);
      }
    }
  }

  @Override
  public void enterThread() {
    adapter.enterThread();
  }

  @Override
  public void leaveThread() {
    adapter.leaveThread();
  }

  private ArenaBlock take(long size, long tag) {
    Arena arena = adapter.newArena();
    return new ArenaBlock(arena, stamp(arena.allocate(size, ALIGNMENT), size, tag));
  }

  private static MemorySegment stamp(MemorySegment segment, long size, long tag) {
    segment.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, size);
    segment.set(ValueLayout.JAVA_LONG_UNALIGNED, Long.BYTES, tag);
    return segment;
  }
}
