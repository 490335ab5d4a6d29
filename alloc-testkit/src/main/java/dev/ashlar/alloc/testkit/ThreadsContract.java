// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an allocator promises to many threads. */
public interface ThreadsContract extends ContractSubject {

  /** Any thread may free, measure, resize and use any block. */
  @Test
  default void anyThreadMayUseAndFreeAnyBlock() {
    for (long size : Sizes.few()) {
      LiveCounters before = live();
      MemorySegment segment = allocator().allocate(size);
      long block = raw().malloc(size);
      Canary.FULL.paint(block, size, size);
      Crew.inAnotherThread(
          index -> {
            segment.fill((byte) 1);
            assertThat(allocator().owns(segment)).isTrue();
            assertThat(allocator().usableSize(segment)).isGreaterThanOrEqualTo(size);
            allocator().free(segment);
            long grown = raw().realloc(block, 2 * size + 1);
            assertThat(Canary.FULL.firstDamage(grown, size, size, size)).isEqualTo(-1);
            raw().free(grown);
          });
      assertThat(live()).isEqualTo(before);
    }
  }

  /** Many threads at once never get the same memory. */
  @Test
  default void manyThreadsGetDisjointBlocks() {
    Crew.together(
        8,
        index -> {
          SplittableRandom random = new SplittableRandom(index);
          churn(random, 20_000, 200, index);
        });
  }

  /** Blocks freed by a thread that never allocates are free for those that do. */
  @Test
  default void oneThreadMayDoAllTheFreeing() {
    LinkedTransferQueue<Long> blocks = new LinkedTransferQueue<>();
    int producers = 4;
    int each = 10_000;
    long reserved = allocator().stats().reservedBytes();
    Crew.together(
        producers + 1,
        index -> {
          if (index < producers) {
            for (int i = 0; i < each; i++) {
              long block = raw().malloc(592);
              Canary.FULL.paint(block, 592, block);
              while (blocks.size() > 1_000) {
                Thread.onSpinWait();
              }
              blocks.put(block);
            }
          } else {
            for (int i = 0; i < producers * each; i++) {
              long block = blocks.take();
              assertThat(Canary.FULL.firstDamage(block, 592, 592, block)).isEqualTo(-1);
              raw().free(block);
            }
          }
        });
    // 40,000 blocks went through; some thousand were live at once.
    assertThat(allocator().stats().reservedBytes() - reserved).isLessThanOrEqualTo(64L << 20);
  }

  /** Blocks that many threads free at the same time all come back to the one that allocates. */
  @Test
  default void blocksFreedByManyThreadsAreUsedAgain() {
    long[] blocks = new long[16_000];
    int threads = 4;
    long afterWarmUp = 0;
    for (int round = 0; round < 60; round++) {
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = raw().malloc(1_024);
      }
      // Neighbours go to different threads, so that they work in the same memory.
      Crew.together(
          threads,
          index -> {
            for (int i = index; i < blocks.length; i += threads) {
              raw().free(blocks[i]);
            }
          });
      if (round == 10) {
        afterWarmUp = allocator().stats().committedBytes();
      }
    }
    assertThat(allocator().stats().committedBytes())
        .as("committed bytes after six times as many rounds")
        .isLessThanOrEqualTo(afterWarmUp + afterWarmUp / 10);
  }

  /** Threads pass blocks round: each frees what another allocated. */
  @Test
  default void blocksMayBePassedRound() {
    int threads = 6;
    List<Queue<Long>> inboxes = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      inboxes.add(new ConcurrentLinkedQueue<>());
    }
    AtomicInteger working = new AtomicInteger(threads);
    Crew.together(
        threads,
        index -> {
          SplittableRandom random = new SplittableRandom(100 + index);
          Queue<Long> inbox = inboxes.get(index);
          for (int i = 0; i < 20_000; i++) {
            int most = random.nextInt(100) == 0 ? 200_000 : 2_000;
            inboxes.get(random.nextInt(threads)).add(mark(24 + random.nextInt(most)));
            freeOne(inbox);
          }
          working.decrementAndGet();
          while (working.get() > 0 || !inbox.isEmpty()) {
            freeOne(inbox);
            Thread.onSpinWait();
          }
        });
  }

  /** Blocks outlive the thread that allocated them, and its memory serves later threads. */
  @Test
  default void threadsComeAndGo() {
    Queue<Long> left = new ArrayDeque<>();
    long afterWarmUp = 0;
    for (int round = 0; round < 400; round++) {
      Crew.inAnotherThread(
          index -> {
            List<Long> blocks = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
              long block = raw().malloc(16 << 10);
              Canary.FULL.paint(block, 16 << 10, block);
              blocks.add(block);
            }
            left.add(blocks.removeLast());
            blocks.forEach(raw()::free);
          });
      if (left.size() == 20) {
        long block = left.remove();
        assertThat(Canary.FULL.firstDamage(block, 16 << 10, 16 << 10, block)).isEqualTo(-1);
        raw().free(block);
      }
      if (round == 40) {
        afterWarmUp = allocator().stats().reservedBytes();
      }
    }
    left.forEach(raw()::free);
    assertThat(allocator().stats().reservedBytes())
        .as("reserved bytes after ten times as many threads")
        .isLessThanOrEqualTo(afterWarmUp + afterWarmUp / 10);
    assertThat(allocator().stats().heaps()).as("heaps of 400 threads").isLessThan(100);
  }

  /** Virtual threads allocate, yield and free; heaps do not grow with their number. */
  @Test
  default void virtualThreadsShareTheAllocator() {
    Crew.togetherVirtually(
        5_000,
        index -> {
          long block = raw().malloc(256);
          Canary.FULL.paint(block, 256, index);
          Thread.yield();
          MemorySegment segment = allocator().allocateZeroed(100);
          Thread.yield();
          assertThat(Canary.FULL.firstDamage(block, 256, 256, index)).isEqualTo(-1);
          assertThat(RawBytes.firstOtherThan(segment.address(), 100, (byte) 0)).isEqualTo(-1);
          raw().free(block);
          allocator().free(segment);
        });
    assertThat(allocator().stats().heaps()).isLessThan(200);
  }

  /** Virtual and platform threads work on the same blocks at the same time. */
  @Test
  default void virtualAndPlatformThreadsMix() {
    Queue<Long> blocks = new ConcurrentLinkedQueue<>();
    Crew.together(
        2,
        side -> {
          if (side == 0) {
            Crew.togetherVirtually(200, index -> passOn(blocks, new SplittableRandom(index), 100));
          } else {
            passOn(blocks, new SplittableRandom(-1), 20_000);
          }
        });
    blocks.forEach(raw()::free);
  }

  private void passOn(Queue<Long> blocks, SplittableRandom random, int rounds) {
    for (int i = 0; i < rounds; i++) {
      blocks.add(mark(24 + random.nextInt(3_000)));
      if (random.nextInt(4) > 0) {
        freeOne(blocks);
      }
    }
  }

  /** Allocates a block that holds its own address, its size and, at its end, their proof. */
  private long mark(long size) {
    long block = raw().malloc(size);
    RawBytes.putLong(block, block);
    RawBytes.putLong(block + 8, size);
    RawBytes.putLong(block + size - 8, ~block);
    return block;
  }

  private void freeOne(Queue<Long> blocks) {
    Long block = blocks.poll();
    if (block != null) {
      assertThat(RawBytes.getLong(block)).isEqualTo(block);
      long size = RawBytes.getLong(block + 8);
      assertThat(RawBytes.getLong(block + size - 8)).isEqualTo(~block);
      raw().free(block);
    }
  }

  private void churn(SplittableRandom random, int rounds, int most, int thread) {
    long[] blocks = new long[most];
    long[] sizes = new long[most];
    for (int i = 0; i < rounds; i++) {
      int slot = random.nextInt(most);
      if (blocks[slot] != 0) {
        assertThat(Canary.FULL.firstDamage(blocks[slot], sizes[slot], sizes[slot], thread))
            .isEqualTo(-1);
        raw().free(blocks[slot]);
      }
      sizes[slot] = random.nextInt(random.nextInt(50) == 0 ? 100_000 : 1_000);
      blocks[slot] = raw().malloc(sizes[slot]);
      Canary.FULL.paint(blocks[slot], sizes[slot], thread);
    }
    for (long block : blocks) {
      raw().free(block);
    }
  }
}
