// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.testkit.FaultyMemory;
import dev.ashlar.alloc.testkit.FaultyMemory.Call;
import dev.ashlar.alloc.wasm.NativeLinearMemory.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Linear memory outside the Java heap. */
class NativeLinearMemoryTest {

  private static final int PAGE = LinearMemory.PAGE_BYTES;

  @Test
  void growingReturnsTheOldSizeAndMovesNothing() {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(1, 4, Threads.ONE)) {
      MemorySegment before = memory.segment();
      before.set(JAVA_BYTE, PAGE - 1, (byte) 7);

      assertThat(memory.grow(2)).isEqualTo(1);

      assertThat(memory.pages()).isEqualTo(3);
      assertThat(memory.segment().byteSize()).isEqualTo(3 * PAGE);
      assertThat(memory.segment().address()).isEqualTo(before.address());
      assertThat(memory.segment().get(JAVA_BYTE, PAGE - 1)).isEqualTo((byte) 7);
      assertThat(memory.segment().get(JAVA_BYTE, 3 * PAGE - 1)).isZero();
      assertThat(memory.grow(0)).isEqualTo(3);
    }
  }

  @Test
  void growthPastTheMaximumIsRefusedAndChangesNothing() {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(1, 4, Threads.ONE)) {
      assertThat(memory.grow(4)).isEqualTo(LinearMemory.REFUSED);
      assertThat(memory.grow(Integer.MAX_VALUE)).isEqualTo(LinearMemory.REFUSED);

      assertThat(memory.pages()).isEqualTo(1);
      assertThat(memory.segment().byteSize()).isEqualTo(PAGE);
      assertThat(memory.grow(3)).isEqualTo(1);
    }
  }

  @Test
  void growthThatTheOperatingSystemRefusesChangesNothing() {
    FaultyMemory system = new FaultyMemory(VirtualMemory.system());
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(system, 1, 4, Threads.ANY)) {
      system.refuse(Set.of(Call.COMMIT), 1);

      assertThat(memory.grow(2)).isEqualTo(LinearMemory.REFUSED);
      assertThat(memory.pages()).isEqualTo(1);
      assertThat(memory.segment().byteSize()).isEqualTo(PAGE);

      assertThat(memory.grow(3)).isEqualTo(1);
      memory.fill(3L * PAGE, PAGE, (byte) 1);
    }
  }

  @Test
  void initialPagesThatTheOperatingSystemRefusesLeaveNoReservation() {
    FaultyMemory system = new FaultyMemory(VirtualMemory.system());
    system.refuse(Set.of(Call.COMMIT), 1);

    assertThatThrownBy(() -> NativeLinearMemory.reserve(system, 2, 4, Threads.ONE))
        .isInstanceOfSatisfying(
            NativeMemoryExhaustedError.class, e -> assertThat(e.requested()).isEqualTo(2L * PAGE));

    assertThat(system.made().stream().filter(made -> made.call() == Call.RELEASE))
        .singleElement()
        .satisfies(made -> assertThat(made.bytes()).isEqualTo(4L * PAGE));
  }

  @Test
  void theGreatestMemoryEndsAt4GiB() {
    try (NativeLinearMemory memory =
        NativeLinearMemory.reserve(32_767, LinearMemory.MAX_PAGES, Threads.ONE)) {
      assertThat(memory.grow(2)).isEqualTo(32_767);
      memory.segment().set(JAVA_LONG, 1L << 31, 1);
      assertThat(memory.grow(LinearMemory.MAX_PAGES - 32_769)).isEqualTo(32_769);
      assertThat(memory.pages()).isEqualTo(65_536);

      memory.segment().set(JAVA_BYTE, 0xFFFF_FFFFL, (byte) 9);

      assertThat(memory.segment().get(JAVA_BYTE, 0xFFFF_FFFFL)).isEqualTo((byte) 9);
      assertThat(memory.segment().get(JAVA_LONG, 1L << 31)).isEqualTo(1);
      assertThat(memory.grow(1)).isEqualTo(LinearMemory.REFUSED);
    }
  }

  @Test
  void aRangeOfTheCallerKeepsItsFirstPagesAndIsZeroedWhereItGrows() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment range = arena.allocate(3 * PAGE + 100, 16);
      range.fill((byte) 5);
      try (NativeLinearMemory memory = NativeLinearMemory.over(range, 1, Threads.ONE)) {
        assertThat(memory.maximumPages()).isEqualTo(3);
        assertThat(memory.zeroFrom()).isEqualTo(PAGE);
        assertThat(memory.grow(2)).isEqualTo(1);
        assertThat(memory.segment().address()).isEqualTo(range.address());
        assertThat(memory.segment().get(JAVA_BYTE, PAGE - 1)).isEqualTo((byte) 5);
        assertThat(memory.segment().get(JAVA_BYTE, PAGE)).isZero();
        assertThat(memory.grow(1)).isEqualTo(LinearMemory.REFUSED);
      }
      assertThat(range.get(JAVA_BYTE, 3 * PAGE - 1)).isZero();
      assertThat(range.get(JAVA_BYTE, 3 * PAGE)).isEqualTo((byte) 5);
    }
  }

  @Test
  void refusesRangesAndSizesThatCannotBe() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment range = arena.allocate(2 * PAGE, 16);
      assertThatThrownBy(() -> NativeLinearMemory.over(range.asSlice(8), 1, Threads.ONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("multiple of 16");
      assertThatThrownBy(() -> NativeLinearMemory.over(range.asReadOnly(), 1, Threads.ONE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> NativeLinearMemory.over(range, 3, Threads.ONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("initial size 3 is not in 0 to 2 linear pages");
    }
    assertThatThrownBy(() -> NativeLinearMemory.reserve(0, 65_537, Threads.ONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maximum 65537 is not in 0 to 65536 linear pages");
    assertThatThrownBy(() -> NativeLinearMemory.reserve(-1, 1, Threads.ONE))
        .isInstanceOf(IllegalArgumentException.class);
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(0, 0, Threads.ONE)) {
      assertThatThrownBy(() -> memory.grow(-1)).isInstanceOf(IllegalArgumentException.class);
      assertThat(memory.grow(1)).isEqualTo(LinearMemory.REFUSED);
    }
  }

  @Test
  void segmentsDieWhenTheMemoryCloses() {
    NativeLinearMemory memory = NativeLinearMemory.reserve(1, 2, Threads.ONE);
    MemorySegment segment = memory.segment();
    memory.close();
    memory.close();

    assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memory.grow(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(memory::segment).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memory.fill(0, 1, (byte) 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memory.copy(0, 16, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aMemoryOfOneThreadRefusesOthers() throws Exception {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(1, 2, Threads.ONE);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      MemorySegment segment = memory.segment();
      for (Runnable use :
          Set.<Runnable>of(
              () -> memory.grow(1),
              memory::segment,
              memory::close,
              () -> segment.get(JAVA_BYTE, 0))) {
        Future<?> outcome = other.submit(use);
        assertThatThrownBy(outcome::get)
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(WrongThreadException.class);
      }
      assertThat(memory.pages()).isEqualTo(1);
    }
  }

  @Test
  void threadsThatGrowOneMemoryGetPagesOfTheirOwn() throws Exception {
    int rounds = 200;
    Set<Integer> sizes = new ConcurrentSkipListSet<>();
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(0, 4 * rounds, Threads.ANY);
        ExecutorService crew = Executors.newFixedThreadPool(4)) {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<?>> outcomes = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        outcomes.add(
            crew.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < rounds; i++) {
                    sizes.add(memory.grow(1));
                  }
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> outcome : outcomes) {
        outcome.get();
      }
      assertThat(memory.pages()).isEqualTo(4 * rounds);
    }
    assertThat(new TreeSet<>(sizes)).hasSize(4 * rounds).doesNotContain(LinearMemory.REFUSED);
  }
}
