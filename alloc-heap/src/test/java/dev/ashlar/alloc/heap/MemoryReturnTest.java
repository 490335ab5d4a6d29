// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.segment.Purge;
import dev.ashlar.alloc.segment.Segment;
import dev.ashlar.alloc.segment.SpanAllocator;
import dev.ashlar.alloc.testkit.FakeClock;
import dev.ashlar.alloc.testkit.FaultyMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That memory goes back which is free: faults that people reported in other allocators. */
class MemoryReturnTest {

  private static final long DELAY = 1_000_000_000;
  private static final Purge TIMED = Purge.DEFAULT.withDelayNanos(DELAY).withBackground(false);

  private final FakeClock clock = new FakeClock();
  private final FaultyMemory memory = new FaultyMemory(VirtualMemory.system(), clock);

  private Allocator open(Purge purge, boolean checks) {
    return HeapAllocator.open(
        AllocatorOptions.defaults().withMemory(memory).withPurge(purge).withChecks(checks));
  }

  private static SpanAllocator spans(Allocator allocator) {
    return ((SegmentFace) allocator).engine().spans();
  }

  static Stream<Purge> policies() {
    return Stream.of(TIMED, Purge.immediately(), Purge.never());
  }

  // https://github.com/jemalloc/jemalloc/issues/1398 , https://github.com/GEMISIS/leviath/pull/255
  @ParameterizedTest
  @ValueSource(strings = {"purge", "collect"})
  @DisplayName("B18: after a burst the memory goes back, when it is due and when it is collected")
  void theMemoryOfABurstGoesBack(String how) throws IOException, InterruptedException {
    long[] resident = burst(how);
    long baseline = resident[0];
    assertThat(resident[1] - baseline).as("taken by the burst").isGreaterThan(500L << 20);
    assertThat(resident[2] - baseline).as("kept before it is due").isGreaterThan(30L << 20);
    assertThat(resident[3]).as("after").isLessThan(baseline + baseline / 10);
  }

  /** Runs {@link BurstOfBlocks} in a JVM whose own memory stays as it is. */
  private static long[] burst(String how) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms64m",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:+AlwaysPreTouch",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                BurstOfBlocks.class.getName(),
                how)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    String line =
        output.lines().filter(one -> one.startsWith("resident ")).findFirst().orElseThrow();
    return Arrays.stream(line.split(" ")).skip(1).mapToLong(Long::parseLong).toArray();
  }

  // https://github.com/netty/netty/issues/14553 , https://github.com/netty/netty/pull/14581
  @ParameterizedTest
  @MethodSource("policies")
  @DisplayName("B38: blocks of odd sizes, taken and freed in turn, take no more and more memory")
  void oddSizesInALoopTakeNoMoreAndMore(Purge purge) {
    try (Allocator allocator = open(purge, true)) {
      RawAllocator raw = allocator.raw();
      int rounds = purge.equals(TIMED) ? 1_000_000 : 50_000;
      long used = 0;
      for (int i = 0; i < rounds; i++) {
        raw.free(raw.malloc(659_225));
        if (i == 10) {
          used = allocator.stats().committedBytes();
        }
      }
      assertThat(allocator.stats().committedBytes()).isEqualTo(used);
      long[] sizes = new long[3];
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = Segment.SEGMENT_BYTES * (40 + 50 * i) / 100;
      }
      for (int i = 0; i < 3_000; i++) {
        long block = raw.malloc(sizes[i % 3]);
        raw.free(block);
        if (i == 30) {
          used = allocator.stats().committedBytes();
        }
      }
      assertThat(allocator.stats().committedBytes())
          .isBetween(used - Segment.SEGMENT_BYTES, used + Segment.SEGMENT_BYTES);
      assertThat(allocator.stats().segments()).isLessThanOrEqualTo(2);
    }
  }

  // https://github.com/microsoft/mimalloc/issues/1141 ,
  // https://github.com/microsoft/mimalloc/issues/1118 ,
  // https://github.com/microsoft/mimalloc/issues/929
  @ParameterizedTest
  @MethodSource("policies")
  @DisplayName("B39: committed stays within 0 and reserved, and falls by what was purged")
  void committedFallsByWhatWasPurged(Purge purge) throws InterruptedException {
    try (Allocator allocator = open(purge, true)) {
      takeAndFreeMany(allocator);
      collect(allocator);
      for (int i = 0; i < 100; i++) {
        Thread thread = new Thread(() -> takeAndFreeMany(allocator));
        thread.start();
        thread.join();
        assertPossible(allocator.stats());
        clock.advance(DELAY / 10);
        spans(allocator).purgeDue();
        assertPossible(allocator.stats());
      }
      collect(allocator);
      AllocatorInvariants.check(allocator);
    }
  }

  private static void takeAndFreeMany(Allocator allocator) {
    RawAllocator raw = allocator.raw();
    long[] blocks = new long[1_000];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = raw.malloc(50_000);
    }
    assertPossible(allocator.stats());
    for (long block : blocks) {
      raw.free(block);
    }
    assertPossible(allocator.stats());
  }

  private static void collect(Allocator allocator) {
    long before = allocator.stats().committedBytes();
    long given = spans(allocator).collect();
    assertPossible(allocator.stats());
    assertThat(allocator.stats().committedBytes()).isEqualTo(before - given);
  }

  private static void assertPossible(AllocatorStats stats) {
    assertThat(stats.committedBytes()).isBetween(0L, stats.reservedBytes());
  }

  @Test
  void whatADeadThreadsHeapHoldsGoesBackToo() throws InterruptedException {
    try (Allocator allocator = open(TIMED, true)) {
      Thread thread =
          new Thread(
              () -> {
                RawAllocator raw = allocator.raw();
                long[] blocks = new long[2_000];
                for (int size = 64; size <= 32 << 10; size *= 2) {
                  for (int i = 0; i < blocks.length; i++) {
                    blocks[i] = raw.malloc(size);
                  }
                  for (long block : blocks) {
                    raw.free(block);
                  }
                }
              });
      thread.start();
      thread.join();
      assertThat(allocator.stats().cachedBytes()).isPositive();
      spans(allocator).purgeDue();
      assertThat(allocator.stats().cachedBytes()).as("cached by a dead thread").isZero();
      clock.advance(DELAY);
      spans(allocator).purgeDue();
      AllocatorInvariants.check(allocator);
      assertThat(allocator.stats().committedBytes()).isLessThanOrEqualTo(3L << 20);
    }
  }

  @Test
  void allocatorsCloseWhileTheyArePurged() throws InterruptedException {
    long taken = ProcessSpace.MAP.space().takenBytes();
    for (int round = 0; round < 200; round++) {
      Allocator allocator =
          HeapAllocator.open(
              AllocatorOptions.defaults().withPurge(Purge.DEFAULT.withDelayNanos(1)));
      Thread thread = new Thread(() -> takeAndFreeMany(allocator));
      thread.start();
      thread.join();
      takeAndFreeMany(allocator);
      allocator.close();
      assertThat(allocator.stats().committedBytes()).isZero();
    }
    assertThat(ProcessSpace.MAP.space().takenBytes()).isLessThanOrEqualTo(taken);
  }
}
