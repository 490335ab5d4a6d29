// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.testkit.TestSeed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Close comes while other threads are inside. */
class ClosingRaceTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void othersGetBlocksThatWorkOrAreToldThatItIsClosed(boolean virtual) throws InterruptedException {
    long seed = TestSeed.choose("close under " + (virtual ? "virtual" : "platform") + " threads");
    long before = ProcessSpace.MAP.space().takenBytes();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    for (int round = 0; round < 300; round++) {
      Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults().withSlots(4));
      CountDownLatch busy = new CountDownLatch(3);
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        SplittableRandom random = new SplittableRandom(seed + round * 3L + t);
        Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
        builder.uncaughtExceptionHandler((at, e) -> thrown.set(e));
        threads.add(builder.start(() -> allocateUntilClosed(allocator, random, busy)));
      }
      busy.await();
      closeAtLast(allocator);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(thrown.get()).as("round %d", round).isNull();
    }
    assertThat(ProcessSpace.MAP.space().takenBytes()).isEqualTo(before);
  }

  /** Closes; an access of another thread at that very moment makes the JDK refuse. */
  private static void closeAtLast(Allocator allocator) {
    while (true) {
      try {
        allocator.close();
        return;
      } catch (IllegalStateException e) {
        assertThat(allocator.stats().heaps()).isPositive();
      }
    }
  }

  private static void allocateUntilClosed(
      Allocator allocator, SplittableRandom random, CountDownLatch busy) {
    MemorySegment[] blocks = new MemorySegment[32];
    try {
      for (int i = 0; ; i++) {
        int k = random.nextInt(blocks.length);
        if (blocks[k] != null) {
          MemorySegment block = blocks[k];
          blocks[k] = null;
          allocator.free(block);
        }
        blocks[k] = allocator.allocate(8 + (random.nextInt(200_000) >>> random.nextInt(15)));
        blocks[k].set(ValueLayout.JAVA_BYTE, blocks[k].byteSize() - 1, (byte) 1);
        if (i % 64 == 0) {
          Thread.yield(); // there may be more virtual threads than carriers
        }
        if (i == 100) {
          busy.countDown();
        }
      }
    } catch (IllegalStateException e) {
      // Closed: what this test is about. The latch is down long since.
      busy.countDown();
    }
  }

  @Test
  void addressSpaceAndSlotsOfClosedAllocatorsAreUsedAgain() {
    long segments = ProcessSpace.MAP.space().takenBytes();
    long slots = ProcessSpace.SLOTS.takenBytes();
    for (int i = 0; i < 1000; i++) {
      try (Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults())) {
        allocator.raw().malloc(100);
        allocator.raw().malloc(1 << 20);
      }
    }
    assertThat(ProcessSpace.MAP.space().takenBytes()).isEqualTo(segments);
    assertThat(ProcessSpace.SLOTS.takenBytes()).isEqualTo(slots);
  }
}
