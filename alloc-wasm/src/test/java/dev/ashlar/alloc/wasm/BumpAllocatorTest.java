// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.wasm.NativeLinearMemory.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What sets a bump allocator apart from others. */
class BumpAllocatorTest {

  private final NativeLinearMemory memory = NativeLinearMemory.reserve(1, 16, Threads.ANY);
  private final WatchedMemory watched = new WatchedMemory(memory);
  private final BumpAllocator bump = new BumpAllocator(watched, 0);

  @AfterEach
  void close() {
    memory.close();
  }

  @Test
  void theNewestBlockGrowsWhereItIs() {
    bump.malloc(40);
    long newest = bump.malloc(100);

    assertThat(bump.realloc(newest, 5_000)).isEqualTo(newest);
    assertThat(bump.realloc(newest, 200_000)).isEqualTo(newest);

    assertThat(watched.copiedBytes).isZero();
    assertThat(bump.usableSize(newest)).isEqualTo(200_000);
    assertThat(bump.malloc(16)).isEqualTo(newest + 200_000);
    assertThat(bump.stats().cumulativeBytes()).isEqualTo(48 + 200_000 + 16);
  }

  @Test
  void aBuriedBlockMovesAndExactlyItsOldBytesAreCopied() {
    long buried = bump.malloc(64);
    long next = bump.malloc(16);
    memory.segment().asSlice(buried, 64).fill((byte) 1);
    memory.segment().asSlice(next, 16).fill((byte) 2);

    long moved = bump.realloc(buried, 10_000);

    assertThat(moved).isNotEqualTo(buried);
    assertThat(watched.copiedBytes).isEqualTo(64);
    MemorySegment block = memory.segment().asSlice(moved, 10_000);
    for (int i = 0; i < 64; i++) {
      assertThat(block.get(JAVA_BYTE, i)).isEqualTo((byte) 1);
    }
    for (int i = 64; i < 10_000; i++) {
      assertThat(block.get(JAVA_BYTE, i)).isZero();
    }
  }

  @Test
  void aShrinkLeavesTheCursorWhereItIs() {
    long block = bump.malloc(1_000);

    assertThat(bump.realloc(block, 10)).isEqualTo(block);

    assertThat(bump.usableSize(block)).isEqualTo(1_008);
    assertThat(bump.malloc(16)).isEqualTo(block + 1_008);
  }

  @Test
  void nothingFreedIsGivenOutAgain() {
    long first = bump.malloc(48);
    bump.free(first);
    long second = bump.malloc(48);

    assertThat(second).isEqualTo(first + 48);
    assertThat(bump.stats())
        .isEqualTo(new GuestStats(48, 48, 96, 1, 1))
        .hasToString(
            "live 48 bytes, peak 48 bytes, given out in all 96 bytes, touched 1 of 1 linear pages");
  }

  @Test
  void memoryMadeOfZerosIsNotZeroedAgain() {
    for (int i = 0; i < 100; i++) {
      memory.segment().asSlice(bump.malloc(500), 500).fill((byte) 7);
      assertZero(bump.zalloc(3_000), 3_000);
      assertZero(bump.calloc(30, 10), 300);
    }
    assertThat(watched.filledBytes).isZero();
  }

  @Test
  void memoryThatWasThereBeforeIsZeroed() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment range = arena.allocate(4 * LinearMemory.PAGE_BYTES, 16).fill((byte) 9);
      WatchedMemory old = new WatchedMemory(NativeLinearMemory.over(range, 1, Threads.ONE));
      BumpAllocator allocator = new BumpAllocator(old, 0x8001);
      long block = allocator.zalloc(40_000);

      assertThat(block).isEqualTo(0x8010);
      assertThat(range.asSlice(block, 40_000).mismatch(MemorySegment.ofArray(new byte[40_000])))
          .isEqualTo(-1);
      assertThat(old.filledBytes).isEqualTo(0x10000 - 0x8010);
    }
  }

  @Test
  void exhaustionTellsTheFigures() {
    long kept = bump.malloc(500_000);
    bump.free(bump.malloc(400_000));

    assertThatThrownBy(() -> bump.malloc(200_000))
        .isInstanceOfSatisfying(
            NativeMemoryExhaustedError.class,
            e -> {
              assertThat(e.requested()).isEqualTo(200_000);
              assertThat(e.live()).isEqualTo(500_000);
              assertThat(e.limit()).isEqualTo(16 << 16);
              assertThat(e.level()).isEqualTo("linear memory");
              assertThat(e.getCause())
                  .isInstanceOfSatisfying(
                      GrowthRefusedException.class,
                      refused ->
                          assertThat(refused.stats())
                              .isEqualTo(new GuestStats(500_000, 900_000, 900_000, 14, 14)));
            })
        .hasMessageContaining("given out in all 900000 bytes, touched 14 of 14 linear pages");
    assertThat(bump.usableSize(kept)).isEqualTo(500_000);
  }

  @Test
  void aRefusedGrowthIsNotActedOn() {
    bump.malloc(60_000);
    watched.refuses = true;
    GuestStats before = bump.stats();

    assertThatThrownBy(() -> bump.malloc(60_000)).isInstanceOf(NativeMemoryExhaustedError.class);
    assertThat(bump.stats()).isEqualTo(before);
    assertThat(bump.malloc(1_000)).isEqualTo(16 + 60_000);

    watched.refuses = false;
    assertThat(bump.malloc(60_000)).isEqualTo(16 + 60_000 + 1_008);
    assertThat(watched.grows).isEqualTo(2);
  }

  @Test
  void whatAnotherOneAddsToTheMemoryStaysItsOwn() {
    bump.malloc(60_000);
    memory.grow(2);

    long block = bump.malloc(10_000);

    assertThat(block).isEqualTo(3 << 16);
    assertThat(bump.malloc(16)).isEqualTo(block + 10_000);
    assertThat(bump.stats().liveBytes()).isEqualTo(60_000 + 10_000 + 16);
  }

  @Test
  void theOffsetBehindTheLastBlockOfTheGreatestMemoryIsNotZero() {
    try (NativeLinearMemory greatest =
        NativeLinearMemory.reserve(65_535, LinearMemory.MAX_PAGES, Threads.ONE)) {
      BumpAllocator last = new BumpAllocator(greatest, (1L << 32) - 65_536);
      long block = last.malloc(65_520);

      assertThat(block + last.usableSize(block)).isEqualTo((1L << 32) - 16);
      assertThatThrownBy(() -> last.malloc(1)).isInstanceOf(NativeMemoryExhaustedError.class);
    }
  }

  @Test
  void refusesArgumentsThatMakeNoSense() {
    assertThatThrownBy(() -> bump.malloc(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bump.alignedAlloc(16, 24))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bump.alignedAlloc(16, Long.MIN_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bump.calloc(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new BumpAllocator(memory, -1))
        .isInstanceOf(IllegalArgumentException.class);
    for (long size : new long[] {1L << 32, 1L << 62, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> bump.malloc(size)).isInstanceOf(NativeMemoryExhaustedError.class);
    }
    assertThatThrownBy(() -> bump.calloc(1L << 33, 1L << 32))
        .isInstanceOf(NativeMemoryExhaustedError.class);
    assertThatThrownBy(() -> bump.calloc((1L << 62) + 1, 4))
        .isInstanceOf(NativeMemoryExhaustedError.class);
    assertThat(bump.stats()).isEqualTo(new GuestStats(0, 0, 0, 0, 1));
  }

  @Test
  void manyThreadsShareALockedOne() throws Exception {
    GuestAllocator locked = bump.locked();
    int rounds = 1_000;
    try (ExecutorService crew = Executors.newFixedThreadPool(4)) {
      CountDownLatch start = new CountDownLatch(1);
      Future<?>[] outcomes = new Future<?>[4];
      for (int thread = 0; thread < 4; thread++) {
        outcomes[thread] =
            crew.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < rounds; i++) {
                    locked.free(locked.malloc(16));
                    locked.malloc(16);
                  }
                  return null;
                });
      }
      start.countDown();
      for (Future<?> outcome : outcomes) {
        outcome.get();
      }
    }
    assertThat(locked.stats().liveBytes()).isEqualTo(4L * rounds * 16);
    assertThat(locked.stats().cumulativeBytes()).isEqualTo(8L * rounds * 16);
  }

  private void assertZero(long offset, int bytes) {
    assertThat(
            memory
                .segment()
                .asSlice(offset, bytes)
                .mismatch(MemorySegment.ofArray(new byte[bytes])))
        .isEqualTo(-1);
  }
}
