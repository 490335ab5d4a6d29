// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.heap.AllocatorInvariants;
import dev.ashlar.alloc.testkit.Crew;
import dev.ashlar.alloc.testkit.RawBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults that people reported in other allocators, tried on this one: virtual threads. */
class ReportedVirtualThreadFaultsTest {

  /** How many times longer than in an ordinary build this runs: 50 for a million threads. */
  private static final int SCALE = Integer.getInteger("ashlar.test.scale", 1);

  private static final int ALIVE = SCALE == 1 ? 2_000 : 10_000;
  private static final int ROUNDS = SCALE == 1 ? 10 : 2 * SCALE;
  private static final String PINNED = "jdk.VirtualThreadPinned";

  @TempDir private Path folder;

  // https://github.com/netty/netty/pull/14882 , https://github.com/netty/netty/pull/13075 ,
  // https://github.com/netty/netty/issues/13191
  @Test
  @DisplayName("B16: many virtual threads share a few heaps and pin no carrier")
  void manyVirtualThreadsShareFewHeaps() throws IOException {
    try (Allocator allocator = Ashlar.builder().build()) {
      round(allocator.raw()); // what is loaded on first use is no part of this
      long reserved = allocator.stats().reservedBytes();
      Path file = folder.resolve("pinned.jfr");
      try (Recording recording = new Recording()) {
        recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
        recording.start();
        for (int i = 0; i < ROUNDS; i++) {
          round(allocator.raw());
        }
        recording.stop();
        recording.dump(file);
      }
      int processors = Runtime.getRuntime().availableProcessors();
      assertThat(allocator.stats().heaps()).isLessThanOrEqualTo(4 * processors);
      assertThat(allocator.stats().reservedBytes()).isEqualTo(reserved);
      assertThat(allocator.stats().liveBlocks()).isZero();
      AllocatorInvariants.check(allocator);
      assertThat(RecordingFile.readAllEvents(file))
          .filteredOn(ReportedVirtualThreadFaultsTest::isInsideTheAllocator)
          .isEmpty();
    }
  }

  /** Lets threads allocate, wait for one another, and free. */
  private static void round(RawAllocator raw) {
    CountDownLatch allocated = new CountDownLatch(ALIVE);
    Crew.togetherVirtually(
        ALIVE,
        index -> {
          long block = raw.malloc(256);
          RawBytes.putLong(block, index);
          allocated.countDown();
          allocated.await();
          if (RawBytes.getLong(block) != index) {
            throw new AssertionError("the block of thread " + index + " is not its own");
          }
          raw.free(block);
        });
  }

  private static boolean isInsideTheAllocator(RecordedEvent event) {
    RecordedStackTrace trace = event.getStackTrace();
    return event.getEventType().getName().equals(PINNED)
        && (trace == null
            || List.copyOf(trace.getFrames()).stream()
                .map(frame -> frame.getMethod().getType().getName())
                .anyMatch(
                    type ->
                        type.startsWith("dev.ashlar.alloc.heap.")
                            || type.startsWith("dev.ashlar.alloc.segment.")));
  }
}
