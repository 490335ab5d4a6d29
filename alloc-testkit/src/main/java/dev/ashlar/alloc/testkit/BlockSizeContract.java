// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What an allocator tells about blocks: their usable sizes, which are its own, and its counters.
 */
public interface BlockSizeContract extends ContractSubject {

  /** The usable size is at least the size asked for, by either face, also of an aligned block. */
  @Test
  default void theUsableSizeIsAtLeastTheSizeAskedFor() {
    for (long size : Sizes.all()) {
      for (long alignment : new long[] {1, 32, 4_096}) {
        MemorySegment segment = allocator().allocate(size, alignment);
        assertThat(allocator().usableSize(segment)).isGreaterThanOrEqualTo(size);
        assertThat(raw().usableSize(segment.address())).isGreaterThanOrEqualTo(size);
        allocator().free(segment);
      }
    }
  }

  /** The good size of a size is the usable size of its block, and is its own good size. */
  @Test
  default void theGoodSizeIsTheUsableSizeOfTheBlock() {
    long last = 0;
    for (long size : Sizes.all()) {
      long good = raw().goodSize(size);
      long block = raw().malloc(size);
      assertThat(good).isGreaterThanOrEqualTo(size).isGreaterThanOrEqualTo(last);
      assertThat(raw().usableSize(block)).as("usable size of %d", size).isEqualTo(good);
      assertThat(raw().goodSize(good)).isEqualTo(good);
      raw().free(block);
      last = good;
    }
  }

  /** A good size needs a possible size. */
  @Test
  default void thereIsNoGoodSizeOfAnImpossibleSize() {
    for (long size : new long[] {-1, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> raw().goodSize(size))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Long.toString(size));
    }
    assertThatThrownBy(() -> raw().goodSize(Long.MAX_VALUE))
        .isInstanceOf(NativeMemoryExhaustedError.class);
  }

  /** The whole usable size may be written, without a trace in any neighbour. */
  @Test
  default void theWholeUsableSizeIsTheBlocksOwn() {
    List<Long> blocks = new ArrayList<>();
    for (long size : Sizes.all()) {
      for (int i = 0; i < (size <= 1_024 ? 8 : 2); i++) {
        long block = i % 2 == 0 ? raw().malloc(size) : raw().alignedAlloc(size, 64);
        Canary.FULL.paint(block, raw().usableSize(block), block);
        blocks.add(block);
      }
    }
    for (long block : blocks) {
      long usable = raw().usableSize(block);
      assertThat(Canary.FULL.firstDamage(block, usable, usable, block)).isEqualTo(-1);
      raw().free(block);
    }
  }

  /** A live block of any size is owned at its beginning and nowhere else. */
  @Test
  default void aLiveBlockIsOwnedAtItsBeginningOnly() {
    for (long size : Sizes.all()) {
      MemorySegment block = allocator().allocate(size);
      long address = block.address();
      assertThat(allocator().owns(block)).isTrue();
      assertThat(raw().owns(address)).isTrue();
      assertThat(raw().owns(address + 1)).isFalse();
      assertThat(raw().owns(-address)).isFalse();
      long usable = allocator().usableSize(block);
      for (long inside = 8; inside < usable; inside *= 3) {
        assertThat(raw().owns(address + inside)).as("inside, at %d of %d", inside, size).isFalse();
      }
      allocator().free(block);
    }
  }

  /** Nothing of other origin is owned, whatever the number. */
  @Test
  default void nothingOfOtherOriginIsOwned() {
    for (long number :
        new long[] {0, 1, 16, 4_096, 1L << 32, 1L << 47, 1L << 62, -1, -16, Long.MIN_VALUE}) {
      assertThat(raw().owns(number)).as("owns %d", number).isFalse();
    }
    assertThat(raw().owns(Long.MAX_VALUE)).isFalse();
    assertThat(allocator().owns(MemorySegment.NULL)).isFalse();
    assertThat(allocator().owns(MemorySegment.ofArray(new byte[64]))).isFalse();
    assertThat(allocator().owns(MemorySegment.ofArray(new long[8]).asSlice(16))).isFalse();
    try (Arena arena = Arena.ofConfined()) {
      assertThat(allocator().owns(arena.allocate(64))).isFalse();
    }
    MemorySegment other = anotherAllocator().allocate(64);
    assertThat(allocator().owns(other)).isFalse();
  }

  /** Memory of an arena is not freed one by one, so it is not owned. */
  @Test
  default void memoryOfAnArenaIsNotOwned() {
    try (Arena arena = allocator().newSharedArena()) {
      for (long size : Sizes.few()) {
        assertThat(allocator().owns(arena.allocate(size))).as("owns %d bytes", size).isFalse();
      }
    }
  }

  /** The live counters are the number and the usable bytes of live blocks, exactly. */
  @Test
  default void theLiveCountersAreExact() {
    LiveCounters before = live();
    LiveCounters expected = before;
    List<Long> blocks = new ArrayList<>();
    for (long size : Sizes.all()) {
      long block = size % 2 == 0 ? raw().malloc(size) : raw().alignedZalloc(size, 128);
      expected = expected.plus(raw().usableSize(block));
      assertThat(live()).isEqualTo(expected);
      blocks.add(block);
    }
    for (int i = 0; i < blocks.size(); i += 2) {
      long block = raw().realloc(blocks.get(i), 77);
      blocks.set(i, block);
    }
    expected = before;
    for (long block : blocks) {
      expected = expected.plus(raw().usableSize(block));
    }
    assertThat(live()).isEqualTo(expected);
    for (long block : blocks) {
      expected = expected.minus(raw().usableSize(block));
      raw().free(block);
      assertThat(live()).isEqualTo(expected);
    }
    assertThat(live()).isEqualTo(before);
  }

  /** Arenas that are closed again leave the live counters as they were. */
  @Test
  default void closedArenasLeaveTheLiveCountersAsTheyWere() {
    LiveCounters before = live();
    for (int round = 0; round < 10; round++) {
      try (Arena confined = allocator().newConfinedArena();
          Arena shared = allocator().newSharedArena()) {
        for (long size : Sizes.few()) {
          confined.allocate(size).fill((byte) 1);
          shared.allocate(size, 256).fill((byte) 1);
        }
      }
      assertThat(live()).isEqualTo(before);
    }
  }

  /** Every figure is possible at every read: none negative, committed within reserved. */
  @Test
  default void everyFigureIsPossible() {
    List<Long> blocks = new ArrayList<>();
    for (long size : Sizes.all()) {
      blocks.add(raw().malloc(size));
      assertPossible(allocator().stats());
    }
    for (long block : blocks) {
      raw().free(block);
      assertPossible(allocator().stats());
    }
  }

  private static void assertPossible(AllocatorStats stats) {
    assertThat(stats.liveBytes()).isNotNegative();
    assertThat(stats.liveBlocks()).isNotNegative();
    assertThat(stats.cachedBytes()).isNotNegative();
    assertThat(stats.committedBytes())
        .isGreaterThanOrEqualTo(stats.liveBytes())
        .isLessThanOrEqualTo(stats.reservedBytes());
    assertThat(stats.segments()).isNotNegative();
    assertThat(stats.heaps()).isNotNegative();
    assertThat(stats.refusedPurges()).isNotNegative();
  }
}
