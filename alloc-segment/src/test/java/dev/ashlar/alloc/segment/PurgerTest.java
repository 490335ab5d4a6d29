// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SLICE_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.prim.VirtualMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The purger, mostly without its thread: the test visits what is due in its place. */
class PurgerTest {

  private static final long D = 1_000_000_000;
  private static final long REGION = SpanAllocator.KEPT_BYTES + SLICE_BYTES;

  private final TestSpace space = new TestSpace(16);
  private final List<Thread> threads = new ArrayList<>();
  private final Purger purger = new Purger(this::threadThatDoesNothing, space.clock);
  private final List<SpanAllocator> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(SpanAllocator::close);
    space.close();
  }

  private Thread threadThatDoesNothing(Runnable task) {
    Thread thread =
        new Thread() {
          @Override
          public void start() {}
        };
    threads.add(thread);
    return thread;
  }

  private SpanAllocator open(Purger by, long delay, Runnable drain) {
    SpanAllocator spans =
        space.spans(SegmentPool.DEFAULT, Purge.DEFAULT.withDelayNanos(delay), drain, by);
    opened.add(spans);
    return spans;
  }

  private SpanAllocator open(long delay) {
    return open(purger, delay, () -> {});
  }

  private static void takeAndGive(SpanAllocator spans) {
    long region = spans.takeLarge(REGION, 1).address();
    spans.giveLargeAt(region);
  }

  @Test
  void theThreadIsStartedOnFirstNeed() {
    SpanAllocator spans = open(D);
    long region = spans.takeLarge(REGION, 1).address();
    assertThat(threads).as("threads before anything is free").isEmpty();
    spans.giveLargeAt(region);
    assertThat(threads).hasSize(1);
    open(purger, 0, () -> {}).collect();
    takeAndGive(opened.getLast());
    assertThat(threads).as("threads for one that purges at once").hasSize(1);
  }

  @Test
  void nothingIsWaitedForThatIsNotPending() {
    SpanAllocator spans = open(D);
    assertThat(purger.visitDue()).isEqualTo(Purger.NO_CLIENTS);
    takeAndGive(spans);
    assertThat(purger.visitDue()).isEqualTo(D);
    space.clock.advance(D);
    assertThat(purger.visitDue()).isEqualTo(Purger.NOTHING_ARMED);
    assertThat(spans.stats().committedBytes()).isZero();
    takeAndGive(spans);
    assertThat(purger.visitDue()).as("when something is pending again").isEqualTo(D);
  }

  @Test
  void theNextOfSeveralAllocatorsIsWaitedFor() {
    SpanAllocator slow = open(10 * D);
    SpanAllocator fast = open(D);
    takeAndGive(slow);
    assertThat(purger.visitDue()).isEqualTo(10 * D);
    takeAndGive(fast);
    assertThat(purger.visitDue()).isEqualTo(D);
    space.clock.advance(D);
    assertThat(purger.visitDue()).isEqualTo(9 * D);
    assertThat(fast.stats().committedBytes()).isZero();
    assertThat(slow.stats().committedBytes()).isPositive();
    space.clock.advance(9 * D);
    assertThat(purger.visitDue()).isEqualTo(Purger.NOTHING_ARMED);
    assertThat(slow.stats().committedBytes()).isZero();
  }

  @Test
  void aClosedAllocatorIsNotWaitedForAndTheLastOneEndsTheThread() {
    SpanAllocator one = open(D);
    SpanAllocator two = open(2 * D);
    SpanAllocator three = open(3 * D);
    takeAndGive(one);
    takeAndGive(two);
    takeAndGive(three);
    two.close();
    one.close();
    assertThat(purger.visitDue()).isEqualTo(3 * D);
    three.close();
    assertThat(purger.visitDue()).isEqualTo(Purger.NO_CLIENTS);
    int before = threads.size();
    takeAndGive(open(D));
    assertThat(threads).as("threads when there is need again").hasSize(before + 1);
  }

  @Test
  void anAllocatorThatNobodyHoldsIsForgotten() {
    SpanAllocator spans = open(D);
    Purger.Client client = purger.clientOf(spans);
    client.wakeIn(0);
    client.clear(); // as the collector does
    assertThat(purger.visitDue()).isEqualTo(Purger.NO_CLIENTS);
  }

  @Test
  void oneThatFailsIsLeftAloneForAWhileAndTheOthersAreNot() {
    SpanAllocator broken =
        open(
            purger,
            D,
            () -> {
              throw new StackOverflowError("deep");
            });
    SpanAllocator sound = open(D);
    takeAndGive(broken);
    takeAndGive(sound);
    space.clock.advance(D);
    assertThat(purger.visitDue()).as("until the broken one's next turn").isEqualTo(D);
    assertThat(sound.stats().committedBytes()).isZero();
  }

  @Test
  void whatBecomesFreeInAPassIsNotLost() {
    AtomicReference<SpanAllocator> self = new AtomicReference<>();
    SpanAllocator spans = open(purger, D, () -> takeAndGive(self.get()));
    takeAndGive(spans);
    self.set(spans);
    space.clock.advance(D);
    assertThat(purger.visitDue()).isEqualTo(D);
    self.set(open(D));
    space.clock.advance(D);
    purger.visitDue();
    assertThat(spans.stats().committedBytes()).isZero();
  }

  @Test
  void withoutAThreadTheUsersPurgeWhenItIsDue() {
    Purger none =
        new Purger(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            space.clock);
    Purger late = new Purger(this::threadThatDoesNothing, space.clock);
    SpanAllocator alone = open(none, D, () -> {});
    SpanAllocator attended = open(late, D, () -> {});
    for (SpanAllocator spans : List.of(alone, attended)) {
      takeAndGive(spans);
    }
    space.clock.advance(D);
    for (SpanAllocator spans : List.of(alone, attended)) {
      spans.giveLargeAt(spans.takeLarge(REGION / 2 & -SLICE_BYTES, 1).address());
    }
    assertThat(alone.stats().committedBytes()).isLessThan(REGION);
    assertThat(attended.stats().committedBytes()).as("left to the purger").isGreaterThan(REGION);
    space.clock.advance(D / 4);
    attended.giveLargeAt(attended.takeLarge(REGION * 2 / 3 & -SLICE_BYTES, 1).address());
    assertThat(attended.stats().committedBytes()).as("when it is late").isLessThan(REGION);
  }

  @Test
  void theThreadPurgesByItselfAndEndsWithTheLastAllocator() throws InterruptedException {
    CountDownLatch purged = new CountDownLatch(1);
    VirtualMemory memory =
        new StateMemory() {
          @Override
          public void decommit(long address, long bytes) {
            super.decommit(address, bytes);
            purged.countDown();
          }
        };
    AtomicReference<Thread> started = new AtomicReference<>();
    Purger real =
        new Purger(
            task -> {
              Thread thread = Thread.ofPlatform().daemon().unstarted(task);
              started.set(thread);
              return thread;
            },
            System::nanoTime);
    SpanAllocator spans =
        new SpanAllocator(
            memory,
            space.map,
            true,
            SegmentPool.DEFAULT,
            Purge.DEFAULT.withDelayNanos(1_000_000),
            () -> 0L,
            () -> {},
            real);
    takeAndGive(spans);
    assertThat(purged.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(started.get().isAlive()).isTrue();
    spans.close();
    started.get().join(60_000);
    assertThat(started.get().isAlive()).as("the thread goes on without allocators").isFalse();
  }
}
