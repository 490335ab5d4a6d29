// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.segment.Purge;
import dev.ashlar.alloc.testkit.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heaps of threads that come and go, with more slots than threads and with fewer. */
class HeapTableTest {

  private static Allocator open(int slots) {
    return HeapAllocator.open(
        AllocatorOptions.defaults().withPurge(Purge.never()).withSlots(slots));
  }

  /** Runs a task in a thread of its own and hands on what it throws. */
  private static void inThread(Runnable task) throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread = new Thread(task);
    thread.setUncaughtExceptionHandler((t, e) -> thrown.set(e));
    thread.start();
    thread.join();
    if (thrown.get() != null) {
      throw new AssertionError(thrown.get());
    }
  }

  // https://github.com/netty/netty/issues/12749: what short-lived threads cached was lost.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16, 256})
  void oneHeapServesThreadsThatRunOneAfterAnother(int slots) throws InterruptedException {
    try (Allocator allocator = open(slots)) {
      RawAllocator raw = allocator.raw();
      long[] kept = new long[1];
      long reserved = 0;
      for (int i = 0; i < 2000; i++) {
        inThread(
            () -> {
              long[] blocks = new long[10];
              for (int k = 0; k < blocks.length; k++) {
                blocks[k] = raw.malloc(16 << 10);
              }
              for (int k = 1; k < blocks.length; k++) {
                raw.free(blocks[k]);
              }
              kept[0] = blocks[0];
            });
        raw.free(kept[0]); // by a thread that is not the heap's
        if (i == 200) {
          reserved = allocator.stats().reservedBytes();
        }
      }
      assertThat(allocator.stats().heaps()).isLessThanOrEqualTo(3);
      assertThat(allocator.stats().reservedBytes()).isEqualTo(reserved);
      assertThat(allocator.stats().liveBlocks()).isZero();
      AllocatorInvariants.check(allocator);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 256})
  void threadsWithoutASlotShareHeaps(int slots) throws InterruptedException {
    long seed = TestSeed.choose("threads sharing " + slots + " slots");
    int threads = 24;
    try (Allocator allocator = open(slots)) {
      RawAllocator raw = allocator.raw();
      CountDownLatch allInside = new CountDownLatch(threads);
      List<Thread> running = new ArrayList<>();
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      for (int t = 0; t < threads; t++) {
        SplittableRandom random = new SplittableRandom(seed + t);
        Thread thread =
            new Thread(
                () -> {
                  long first = raw.malloc(8);
                  allInside.countDown();
                  awaitQuietly(allInside);
                  long[] blocks = new long[100];
                  for (int i = 0; i < 4000; i++) {
                    int k = random.nextInt(blocks.length);
                    raw.free(blocks[k]);
                    blocks[k] = raw.malloc(random.nextInt(100_000) >>> random.nextInt(14));
                  }
                  for (long block : blocks) {
                    raw.free(block);
                  }
                  raw.free(first);
                });
        thread.setUncaughtExceptionHandler((at, e) -> thrown.set(e));
        running.add(thread);
        thread.start();
      }
      for (Thread thread : running) {
        thread.join();
      }
      assertThat(thrown.get()).isNull();
      assertThat(allocator.stats().heaps())
          .isLessThanOrEqualTo(Math.min(slots, threads) + HeapAllocator.stripes());
      assertThat(allocator.stats().liveBlocks()).isZero();
      AllocatorInvariants.check(allocator);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 256})
  void blocksOfADeadThreadAreFreedAndItsCacheIsUsedAgain(int slots) throws InterruptedException {
    try (Allocator allocator = open(slots)) {
      RawAllocator raw = allocator.raw();
      long[] blocks = new long[5000];
      inThread(
          () -> {
            for (int i = 0; i < blocks.length; i++) {
              blocks[i] = raw.malloc(64);
            }
          });
      long reserved = allocator.stats().reservedBytes();
      for (long block : blocks) {
        raw.free(block);
      }
      AllocatorInvariants.check(allocator);
      inThread(
          () -> {
            for (int i = 0; i < blocks.length; i++) {
              blocks[i] = raw.malloc(64);
            }
          });
      assertThat(allocator.stats().reservedBytes()).isEqualTo(reserved);
      assertThat(allocator.stats().liveBlocks()).isEqualTo(blocks.length);
      for (long block : blocks) {
        raw.free(block);
      }
      AllocatorInvariants.check(allocator);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 256}) // in the dead thread's slot, and in another
  void whatADeadThreadHadReadyIsReadyForTheAdopter(int slots) throws InterruptedException {
    try (Allocator allocator = open(slots)) {
      RawAllocator raw = allocator.raw();
      long[] blocks = new long[10];
      inThread(
          () -> {
            for (int i = 0; i < blocks.length; i++) {
              blocks[i] = raw.malloc(64);
            }
            for (int i = 1; i <= blocks.length; i++) {
              raw.free(blocks[i * 3 % 10]); // the first is freed last
            }
          });
      long cached = allocator.stats().cachedBytes();
      inThread(
          () -> {
            for (int i = blocks.length; i >= 1; i--) {
              assertThat(raw.malloc(64)).as("newest first").isEqualTo(blocks[i * 3 % 10]);
            }
            assertThat(allocator.stats().cachedBytes()).isEqualTo(cached - 10 * 64);
            for (long block : blocks) {
              raw.free(block);
            }
          });
      assertThat(allocator.stats().heaps()).isEqualTo(1);
      assertThat(allocator.stats().liveBlocks()).isZero();
      AllocatorInvariants.check(allocator);
    }
  }
}
