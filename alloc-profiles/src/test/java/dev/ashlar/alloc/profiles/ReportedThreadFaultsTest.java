// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.heap.AllocatorInvariants;
import dev.ashlar.alloc.testkit.Crew;
import dev.ashlar.alloc.testkit.LiveCounters;
import dev.ashlar.alloc.testkit.RawBytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Faults that people reported in other allocators, tried on this one: platform threads. */
class ReportedThreadFaultsTest {

  private static final long NO_MORE = 0;

  /** How many times longer than in an ordinary build the long cases run. */
  private static final int SCALE = Integer.getInteger("ashlar.test.scale", 1);

  private final Allocator allocator = Ashlar.builder().build();
  private final RawAllocator raw = allocator.raw();

  @AfterEach
  void everythingIsFreeAndSound() {
    AllocatorInvariants.check(allocator);
    assertThat(LiveCounters.of(allocator)).isEqualTo(new LiveCounters(0, 0));
    allocator.close();
  }

  // https://github.com/netty/netty/issues/12749 , https://github.com/netty/netty/pull/2370 ,
  // https://github.com/netty/netty/issues/6819
  @Test
  @DisplayName("B12: blocks freed after their threads' death are not lost with them")
  void blocksOfThreadsThatAreGoneAreUsedAgain() {
    int rounds = 4_000 * SCALE;
    BlockingQueue<Long> toFree = new ArrayBlockingQueue<>(100);
    AtomicLong reservedEarly = new AtomicLong();
    Crew.together(
        2,
        index -> {
          if (index == 0) {
            for (long block = toFree.take(); block != NO_MORE; block = toFree.take()) {
              raw.free(block);
            }
            return;
          }
          ArrayDeque<Long> waiting = new ArrayDeque<>();
          for (int i = 0; i < rounds; i++) {
            waiting.add(oneOfTen());
            if (waiting.size() > 50) { // its thread has been gone for that many rounds
              toFree.put(waiting.remove());
            }
            if (i == rounds / 10) {
              reservedEarly.set(allocator.stats().reservedBytes());
            }
          }
          for (long block : waiting) {
            toFree.put(block);
          }
          toFree.put(NO_MORE);
        });
    assertThat((double) allocator.stats().reservedBytes())
        .isLessThanOrEqualTo(1.1 * reservedEarly.get());
    // At a time there are the one that frees and one that allocates, or that one's successor.
    assertThat(allocator.stats().heaps()).isLessThanOrEqualTo(4);
  }

  /** Returns a block that a thread that is gone did not free. */
  private long oneOfTen() throws InterruptedException {
    long[] kept = new long[1];
    Thread thread =
        new Thread(
            () -> {
              long[] blocks = new long[10];
              for (int k = 0; k < blocks.length; k++) {
                blocks[k] = raw.malloc(16 << 10);
                RawBytes.putLong(blocks[k], k);
              }
              for (int k = 1; k < blocks.length; k++) {
                raw.free(blocks[k]);
              }
              kept[0] = blocks[0];
            });
    thread.start();
    thread.join();
    return kept[0];
  }

  // https://github.com/microsoft/mimalloc/issues/1364
  @Test
  @DisplayName("B13: one thread that only frees does not make what many allocate pile up")
  void whatOneThreadFreesOthersUseAgain() {
    int producers = 16;
    int held = (4 << 20) / 592;
    long[][] live = new long[producers][held];
    BlockingQueue<Long> toFree = new ArrayBlockingQueue<>(1_000);
    int phases = 2 * SCALE;
    AtomicLongArray committed = new AtomicLongArray(phases);
    // Between the phases everything that was replaced has been freed.
    CyclicBarrier filled = new CyclicBarrier(producers);
    CyclicBarrier replaced = new CyclicBarrier(producers);
    CountDownLatch producing = new CountDownLatch(producers);
    Crew.together(
        producers + 1,
        index -> {
          if (index == producers) {
            for (long block = toFree.take(); block != NO_MORE; block = toFree.take()) {
              raw.free(block);
            }
            return;
          }
          for (int i = 0; i < held; i++) {
            live[index][i] = raw.malloc(592);
          }
          filled.await();
          for (int phase = 0; phase < phases; phase++) {
            for (int i = 0; i < 2 * held; i++) {
              int k = i % held;
              toFree.put(live[index][k]);
              live[index][k] = raw.malloc(592);
            }
            if (replaced.await() == 0) {
              committed.set(phase, allocator.stats().committedBytes());
            }
            replaced.await();
          }
          producing.countDown();
          if (index == 0) {
            producing.await();
            toFree.put(NO_MORE);
          }
        });
    long liveBytes = allocator.stats().liveBytes();
    assertThat(liveBytes).isEqualTo((long) producers * held * raw.goodSize(592));
    for (int phase = 0; phase < phases; phase++) {
      assertThat((double) committed.get(phase)).isLessThanOrEqualTo(1.5 * liveBytes);
    }
    for (long[] blocks : live) {
      for (long block : blocks) {
        raw.free(block);
      }
    }
  }

  // https://github.com/corda/corda/pull/152
  @Test
  @DisplayName("B17: a pool that wipes its threads' locals between tasks makes no heap for each")
  void aPoolThatWipesThreadLocalsMakesFewHeaps() throws Exception {
    int workers = 4;
    int tasks = 20_000;
    long[] reserved = new long[2];
    try (ForkJoinPool pool = new ForkJoinPool(workers, ForgetfulWorker::new, null, false)) {
      for (int phase = 0; phase < 2; phase++) {
        List<ForkJoinTask<?>> running = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
          running.add(
              pool.submit(
                  () -> {
                    long block = raw.malloc(4096);
                    RawBytes.putLong(block, block);
                    raw.free(block);
                  }));
        }
        for (ForkJoinTask<?> task : running) {
          task.get();
        }
        reserved[phase] = allocator.stats().reservedBytes();
      }
    }
    assertThat(allocator.stats().heaps()).isLessThanOrEqualTo(workers + 2);
    assertThat(reserved[1]).isEqualTo(reserved[0]);
  }

  /** A worker of a pool that has no thread locals from one task to the next. */
  private static final class ForgetfulWorker extends ForkJoinWorkerThread {

    ForgetfulWorker(ForkJoinPool pool) {
      super(null, pool, false);
    }
  }

  // https://github.com/mjansson/rpmalloc/issues/281
  @Test
  @DisplayName("rpmalloc 281: the last two blocks of a page, freed by two threads at once")
  void theLastTwoBlocksOfAPageAreFreedAtOnce() {
    int size = 500 << 10; // a page has few of them, and no magazine keeps them
    long[] blocks = new long[2];
    CyclicBarrier together = new CyclicBarrier(2);
    Crew.together(
        2,
        index -> {
          for (int round = 0; round < 5_000; round++) {
            if (index == 0) {
              blocks[0] = raw.malloc(size);
              blocks[1] = raw.malloc(size);
              RawBytes.putLong(blocks[0], round);
              RawBytes.putLong(blocks[1], -round - 1L);
              assertThat(RawBytes.getLong(blocks[0])).as("round %d", round).isEqualTo(round);
            }
            together.await();
            raw.free(blocks[index]);
            together.await();
          }
        });
    assertThat(allocator.stats().reservedBytes()).isLessThanOrEqualTo(2 * (32L << 20));
  }

  // https://github.com/microsoft/mimalloc/issues/1250 ,
  // https://github.com/microsoft/mimalloc/issues/1231
  @Test
  @DisplayName(
      "mimalloc 1250: a thread that used an allocator that is gone gets a heap of the next")
  void aThreadOutlivesTheAllocatorsItUses() {
    AtomicLong opened = new AtomicLong();
    CyclicBarrier together = new CyclicBarrier(2);
    Allocator[] current = new Allocator[1];
    Crew.together(
        2,
        index -> {
          for (int round = 0; round < 1_000; round++) {
            if (index == 0) {
              current[0] = Ashlar.builder().build();
              opened.incrementAndGet();
            }
            together.await();
            long block = current[0].raw().malloc(48 + round % 1_000);
            RawBytes.putLong(block, round);
            together.await();
            assertThat(RawBytes.getLong(block)).isEqualTo(round);
            current[0].raw().free(block);
            together.await();
            if (index == 0) {
              assertThat(current[0].stats().liveBlocks()).isZero();
              current[0].close();
            }
          }
        });
    assertThat(opened.get()).isEqualTo(1_000);
  }
}
