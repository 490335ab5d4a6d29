// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.MemoryMisuseException.Kind;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.wasm.NativeLinearMemory.Threads;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reclaiming allocator makes of memory that comes back. */
class ReclaimingAllocatorTest {

  private static NativeLinearMemory memory(int initial, int maximum) {
    return NativeLinearMemory.reserve(initial, maximum, Threads.ONE);
  }

  @Test
  void aTrivialProgramTouchesAtMostOneMebibyte() {
    try (NativeLinearMemory memory = memory(0, 256)) {
      ReclaimingAllocator allocator = new ReclaimingAllocator(memory, 0);
      for (int size = 1; size <= 8_192; size += size / 16 + 1) {
        long block = allocator.malloc(size);
        memory.fill(block, size, (byte) 1);
        allocator.free(block);
      }
      assertThat(memory.pages()).isLessThanOrEqualTo(16);
    }
  }

  @ParameterizedTest
  @CsvSource({"true, 0", "false, 0", "true, 16", "false, 16"})
  void twoLargeBlocksInTurnNeedNoMoreMemoryAfterTheSecondRound(boolean inOrder, int variation) {
    try (NativeLinearMemory memory = memory(1, 256)) {
      ReclaimingAllocator allocator = new ReclaimingAllocator(memory, 0x13551);
      int afterTwo = 0;
      for (int round = 0; round < 1_000; round++) {
        int more = (round % 3 - 1) * variation;
        long a = allocator.malloc(340_784 + more);
        long b = allocator.malloc(320_000 - more);
        allocator.free(inOrder ? a : b);
        allocator.free(inOrder ? b : a);
        if (round == 1) {
          afterTwo = memory.pages();
        }
      }
      assertThat(memory.pages()).isEqualTo(afterTwo);
    }
  }

  @Test
  void fullMemoryThatIsFreedServesOneBlockOfHalfOfIt() {
    try (NativeLinearMemory memory = memory(1, 1_024)) {
      ReclaimingAllocator allocator = new ReclaimingAllocator(memory, 1_024);
      Deque<Long> blocks = new ArrayDeque<>();
      assertThatThrownBy(
              () -> {
                while (true) {
                  blocks.add(allocator.malloc(1_024));
                }
              })
          .isInstanceOf(NativeMemoryExhaustedError.class);
      assertThat(blocks).hasSizeGreaterThan(64_000);

      allocator.free(blocks.removeLast());
      blocks.forEach(allocator::free);

      assertThat(allocator.stats().liveBytes()).isZero();
      allocator.free(allocator.malloc(32 << 20));
      allocator.malloc((64 << 20) - 2_048);
      assertThat(memory.pages()).isEqualTo(1_024);
    }
  }

  @Test
  void aRequestBeyondTheMaximumChangesNothing() {
    try (NativeLinearMemory memory = memory(2, 16)) {
      WatchedMemory watched = new WatchedMemory(memory);
      ReclaimingAllocator allocator = new ReclaimingAllocator(watched, 0);

      assertThatThrownBy(() -> allocator.malloc(2 << 20))
          .isInstanceOf(NativeMemoryExhaustedError.class);
      assertThat(memory.pages()).isEqualTo(2);
      assertThat(watched.grows).isZero();
      assertThat(allocator.stats()).isEqualTo(new GuestStats(0, 0, 0, 0, 2));

      allocator.malloc(1_024);
      List<Long> blocks = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                while (true) {
                  blocks.add(allocator.malloc(65_536));
                }
              })
          .isInstanceOf(NativeMemoryExhaustedError.class);
      assertThat(blocks).hasSize(15).allMatch(block -> block + 65_536 <= 16 << 16);
      long freed = blocks.get(7);
      allocator.free(freed);
      assertThat(allocator.malloc(65_536)).isEqualTo(freed);
    }
  }

  @Test
  void aRequestGrowsTheMemoryOnceAndByNoMoreThanItNeeds() {
    try (NativeLinearMemory memory = memory(1, 2_048)) {
      WatchedMemory watched = new WatchedMemory(memory);
      ReclaimingAllocator allocator = new ReclaimingAllocator(watched, 70_000);
      long size = 32 << 20;
      long alignment = 1 << 20;

      long block = allocator.alignedAlloc(size, alignment);

      assertThat(block % alignment).isZero();
      assertThat(watched.grows).isEqualTo(1);
      assertThat((long) (memory.pages() - 1) << 16)
          .isLessThanOrEqualTo(size + alignment + LinearMemory.PAGE_BYTES);
      long behind = allocator.malloc(100_000);
      assertThat(watched.grows).isEqualTo(1);
      assertThat(behind).as("fits before the aligned block").isLessThan(block);
    }
  }

  @Test
  void aRefusedGrowthIsNotActedOn() {
    try (NativeLinearMemory memory = memory(1, 64)) {
      WatchedMemory watched = new WatchedMemory(memory);
      ReclaimingAllocator allocator = new ReclaimingAllocator(watched, 0);
      long block = allocator.malloc(40_000);
      watched.refuses = true;
      GuestStats before = allocator.stats();

      assertThatThrownBy(() -> allocator.malloc(100_000))
          .isInstanceOf(NativeMemoryExhaustedError.class);
      assertThatThrownBy(() -> allocator.realloc(block, 100_000))
          .isInstanceOf(NativeMemoryExhaustedError.class);

      assertThat(watched.grows).isEqualTo(2);
      assertThat(allocator.stats()).isEqualTo(before);
      LinearInvariants.check(allocator);
      assertThat(allocator.usableSize(block)).isEqualTo(40_960);
      assertThat(allocator.malloc(20_000)).isEqualTo(block + 40_960);
    }
  }

  @Test
  void whatAnotherOneAddsToTheMemoryStaysItsOwn() {
    try (NativeLinearMemory memory = memory(1, 64)) {
      ReclaimingAllocator allocator = new ReclaimingAllocator(memory, 0);
      long block = allocator.malloc(40_000);
      memory.grow(2);

      long next = allocator.malloc(60_000);

      assertThat(next).isEqualTo(3 << 16);
      assertThat(allocator.realloc(block, 62_000)).isEqualTo(block);
      assertThat(allocator.realloc(block, 70_000)).isGreaterThan(next);
      assertThatThrownBy(() -> allocator.free(2 << 16))
          .isInstanceOfSatisfying(
              MemoryMisuseException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FOREIGN));
      LinearInvariants.check(allocator);
    }
  }

  @Test
  void aBlockThatGrowsInSmallStepsSeldomMoves() {
    try (NativeLinearMemory memory = memory(1, 256)) {
      WatchedMemory watched = new WatchedMemory(memory);
      ReclaimingAllocator allocator = new ReclaimingAllocator(watched, 0);
      long block = allocator.malloc(8);
      for (int longs = 2; longs <= 300_000; longs++) {
        block = allocator.realloc(block, 8L * longs);
      }
      assertThat(watched.copiedBytes).isLessThan(1 << 20);
    }
  }

  @Test
  void kindsOfMisuseAreTold() {
    try (NativeLinearMemory memory = memory(1, 64)) {
      ReclaimingAllocator allocator = new ReclaimingAllocator(memory, 0);
      long small = allocator.malloc(48);
      long large = allocator.malloc(100_000);
      long freed = allocator.malloc(50_000);
      allocator.malloc(50_000);
      allocator.free(freed);

      assertMisuse(allocator, small + 8, Kind.INTERIOR);
      assertMisuse(allocator, small + 48, Kind.DOUBLE_FREE);
      assertMisuse(allocator, large + 50_000, Kind.INTERIOR);
      assertMisuse(allocator, large + 1, Kind.INTERIOR);
      assertMisuse(allocator, freed, Kind.DOUBLE_FREE);
      assertMisuse(allocator, freed + 40_000, Kind.DOUBLE_FREE);
      assertMisuse(allocator, 512, Kind.FOREIGN);
      assertMisuse(allocator, (long) memory.pages() << 16, Kind.FOREIGN);
      assertMisuse(allocator, -16, Kind.FOREIGN);
    }
  }

  private static void assertMisuse(ReclaimingAllocator allocator, long offset, Kind kind) {
    GuestStats before = allocator.stats();
    for (Runnable call :
        List.<Runnable>of(
            () -> allocator.free(offset),
            () -> allocator.usableSize(offset),
            () -> allocator.realloc(offset, 10))) {
      assertThatThrownBy(call::run)
          .isInstanceOfSatisfying(
              MemoryMisuseException.class,
              e -> {
                assertThat(e.kind()).isEqualTo(kind);
                assertThat(e.address()).isEqualTo(offset);
              });
    }
    assertThat(allocator.stats()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 15, 16, 1_023, 1_024, 0x13551, 65_535})
  void blocksAreAlignedFromAnyHeapBase(long heapBase) {
    try (NativeLinearMemory memory = memory(2, 64)) {
      ReclaimingAllocator allocator = new ReclaimingAllocator(memory, heapBase);
      for (long alignment = 1; alignment <= 1 << 18; alignment <<= 1) {
        for (long size : new long[] {0, 1, 8, 200, 9_000}) {
          long block = allocator.alignedAlloc(size, alignment);
          assertThat(block % Math.max(alignment, 16)).isZero();
          assertThat(block).isGreaterThanOrEqualTo(Math.max(heapBase, 16));
        }
      }
    }
  }

  @Test
  void memoryMadeOfZerosIsNotZeroedAgainButReusedMemoryIs() {
    try (NativeLinearMemory memory = memory(0, 64)) {
      WatchedMemory watched = new WatchedMemory(memory);
      ReclaimingAllocator allocator = new ReclaimingAllocator(watched, 0);
      long fresh = allocator.zalloc(100_000);
      assertThat(watched.filledBytes).isZero();
      memory.fill(fresh, 100_000, (byte) 1);
      allocator.free(fresh);

      long reused = allocator.zalloc(100_000);

      assertThat(reused).isEqualTo(fresh);
      assertThat(
              memory
                  .segment()
                  .asSlice(reused, 100_000)
                  .mismatch(MemorySegment.ofArray(new byte[100_000])))
          .isEqualTo(-1);
      assertThat(watched.filledBytes).isEqualTo(100_000);
    }
  }
}
