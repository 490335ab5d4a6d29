// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Virtual threads wait for a stripe whose holder waits for the span allocator's lock, unmounted.
 * Waiters that took turns on the carriers would keep the holder from ever going on.
 */
class StripesProgressTest {

  @Test
  void aHolderThatWasUnmountedGoesOn() throws InterruptedException {
    try (Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults())) {
      RawAllocator raw = allocator.raw();
      int threads = 16 * HeapAllocator.stripes();
      CountDownLatch started = new CountDownLatch(threads);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      List<Thread> running = new ArrayList<>();
      // A medium block takes a page each time, which is where the lock is.
      synchronized (((SegmentFace) allocator).engine().spans()) {
        for (int i = 0; i < threads; i++) {
          running.add(
              Thread.ofVirtual()
                  .uncaughtExceptionHandler((t, e) -> thrown.set(e))
                  .start(
                      () -> {
                        started.countDown();
                        for (int k = 0; k < 20; k++) {
                          raw.free(raw.malloc(300_000));
                        }
                      }));
        }
        // Now every stripe has a holder that waits for this lock, and the other threads for a
        // stripe.
        assertThat(started.await(60, TimeUnit.SECONDS)).as("all threads get to run").isTrue();
      }
      for (Thread thread : running) {
        assertThat(thread.join(Duration.ofSeconds(60))).as("the thread ends").isTrue();
      }
      assertThat(thrown.get()).isNull();
      assertThat(allocator.stats().liveBlocks()).isZero();
      AllocatorInvariants.check(allocator);
    }
  }
}
