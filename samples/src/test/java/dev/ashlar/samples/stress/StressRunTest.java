// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.profiles.Ashlar;
import dev.ashlar.alloc.profiles.Diagnostics;
import dev.ashlar.samples.index.OffHeap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StressRunTest {

  private static final long SEED = 4711;

  private static StressSettings settings(int threads, boolean virtual, boolean killThreads) {
    return new StressSettings(0, 3000, threads, virtual, killThreads, StressProfile.DEFAULT, SEED);
  }

  private static StressReport run(
      StressSettings settings, Supplier<Allocator> opener, LongSupplier residence)
      throws InterruptedException {
    return new StressRun(settings, opener, Diagnostics::check, residence, progress -> {}).run();
  }

  @ParameterizedTest
  @CsvSource({
    "1, false, false, DEFAULT",
    "6, false, false, DEFAULT",
    "6, false, true, DEFAULT",
    "6, false, true, UNCHECKED",
    "30, true, false, DEFAULT",
    "30, true, true, UNCHECKED"
  })
  void isCleanOnAshlar(int threads, boolean virtual, boolean killThreads, StressProfile profile)
      throws InterruptedException {
    StressSettings settings = settings(threads, virtual, killThreads);

    StressReport report = run(settings, profile::open, () -> 0);

    assertThat(report.operations()).isEqualTo(3000L * threads);
    assertThat(report.blocks()).isPositive();
    assertThat(report.remoteFrees() > 0).isEqualTo(threads > 1 || killThreads);
    assertThat(report.threads() > threads).isEqualTo(killThreads);
    assertThat(report.afterwards().liveBlocks()).isZero();
  }

  @ParameterizedTest
  @EnumSource(FaultyAllocator.Fault.class)
  void findsAFaultyAllocator(FaultyAllocator.Fault fault) {
    StressSettings settings = settings(1, false, false);

    assertThatThrownBy(
            () ->
                new StressRun(
                        settings,
                        () -> FaultyAllocator.open(fault),
                        allocator -> {},
                        () -> 0,
                        progress -> {})
                    .run())
        .isInstanceOf(StressFault.class);
  }

  @Test
  void saysWhoseCanaryIsWhereAnotherShouldBe() {
    try (Allocator allocator = Ashlar.builder().build()) {
      CheckedBlocks first = new CheckedBlocks(allocator, 3);
      StressBlock block = first.allocate(64, 1, new StepRandom(SEED, 0));
      StressBlock intruder = new StressBlock(block.address(), 48, 1, 5, 0, false, block.thread());
      BlockCanary.paint(intruder);

      assertThatThrownBy(() -> first.free(block, new StepRandom(SEED, 0)))
          .isInstanceOf(StressFault.class)
          .hasMessageContaining("the block of 64 bytes")
          .hasMessageContaining("of worker 3")
          .hasMessageContaining("at offset 0, as a canary: worker 5, 48 bytes");
    }
  }

  @Test
  void findsDamageOfEachByteOfAFullCanary() {
    try (Allocator allocator = Ashlar.builder().build()) {
      for (int size = 0; size < 80; size++) {
        long address = allocator.raw().malloc(size);
        StressBlock block = new StressBlock(address, size, 1, 1, size, true, 0);
        BlockCanary.paint(block);
        BlockCanary.check(block);
        for (int i = 0; i < size; i++) {
          OffHeap.putByte(address + i, (byte) ~OffHeap.getByte(address + i));
          assertThatThrownBy(() -> BlockCanary.check(block)).isInstanceOf(StressFault.class);
          OffHeap.putByte(address + i, (byte) ~OffHeap.getByte(address + i));
        }
        BlockCanary.check(block);
        allocator.raw().free(address);
      }
    }
  }

  @Test
  void findsAnAllocatorThatDoesNotAgreeWithItself() {
    StressRun run =
        new StressRun(
            settings(1, false, false),
            StressProfile.DEFAULT::open,
            allocator -> {
              throw new AssertionError("two pages at one place");
            },
            () -> 0,
            progress -> {});

    assertThatThrownBy(run::run)
        .isInstanceOf(StressFault.class)
        .hasMessageContaining("does not agree with itself")
        .hasMessageContaining("two pages at one place");
  }

  @Test
  void findsMemoryThatTheProcessDidNotGiveBack() throws InterruptedException {
    AtomicLong resident = new AtomicLong();
    StressSettings settings = settings(1, false, false);

    run(settings, StressProfile.DEFAULT::open, () -> resident.getAndAdd(64 << 20));
    assertThatThrownBy(
            () -> run(settings, StressProfile.DEFAULT::open, () -> resident.getAndAdd(65 << 20)))
        .isInstanceOf(StressFault.class)
        .hasMessageContaining("65.0 MiB more than before");
  }

  @Test
  void aWorkerDoesTheSameWithTheSameSeed() throws InterruptedException {
    StressSettings settings = settings(1, false, false);

    assertThat(sizesAfter(settings)).isNotEmpty().isEqualTo(sizesAfter(settings));
  }

  private static List<Long> sizesAfter(StressSettings settings) throws InterruptedException {
    try (Allocator allocator = Ashlar.builder().build()) {
      StressCrew crew = new StressCrew(settings, allocator);
      crew.start();
      crew.await();
      crew.requireNoFault();
      return crew.takeAllBlocks().stream().map(StressBlock::size).toList();
    }
  }

  @Test
  void theNumbersOfAnOperationDoNotDependOnWhatTheOneBeforeDrew() {
    StepRandom one = new StepRandom(SEED, 7);
    StepRandom other = new StepRandom(SEED, 7);
    one.begin(1);
    other.begin(1);
    one.nextLong();
    one.nextInt(10);
    one.begin(2);
    other.begin(2);

    for (int i = 0; i < 10; i++) {
      assertThat(one.nextLong()).isEqualTo(other.nextLong());
    }
    StepRandom neighbour = new StepRandom(SEED, 8);
    one.begin(3);
    neighbour.begin(3);
    assertThat(neighbour.nextLong()).isNotEqualTo(one.nextLong());
  }
}
