// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What {@link Arena#ofShared()} promises: any thread may use and close the arena, at any time. */
public abstract class SharedArenaContract extends ArenaContract {

  /** For subclasses. */
  protected SharedArenaContract() {}

  /** Any thread may allocate, read, write and close. */
  @Test
  public void anyThreadMayUseAndCloseIt() {
    MemorySegment segment = arena().allocate(64);
    List<MemorySegment> theirs = new ArrayList<>();
    Crew.inAnotherThread(
        index -> {
          assertThat(segment.isAccessibleBy(Thread.currentThread())).isTrue();
          segment.set(JAVA_LONG, 0, 7L);
          theirs.add(arena().allocate(64));
        });
    assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(7L);
    assertThat(theirs.getFirst().asOverlappingSlice(segment)).isEmpty();
    theirs.getFirst().fill((byte) 1);
    Crew.togetherVirtually(1, index -> arena().close());
    assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    Crew.inAnotherThread(
        index ->
            assertThatThrownBy(() -> theirs.getFirst().get(JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class));
  }

  /** Threads that allocate at the same time get disjoint, zeroed segments. */
  @Test
  public void manyThreadsGetDisjointSegments() {
    ConcurrentLinkedQueue<MemorySegment> segments = new ConcurrentLinkedQueue<>();
    Crew.together(
        8,
        index -> {
          for (int i = 0; i < 1_000; i++) {
            MemorySegment segment = arena().allocate(8 + i % 300, 8);
            assertThat(firstOtherThan((byte) 0, segment)).isEqualTo(-1);
            segment.fill((byte) (index + 1));
            segment.set(JAVA_LONG, 0, segment.address());
            segments.add(segment);
          }
        });
    List<MemorySegment> sorted = new ArrayList<>(segments);
    sorted.sort((a, b) -> Long.compare(a.address(), b.address()));
    long end = 0;
    for (MemorySegment segment : sorted) {
      assertThat(segment.address()).isGreaterThanOrEqualTo(end);
      assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(segment.address());
      end = segment.address() + segment.byteSize();
    }
  }

  /** A segment in use by the operating system keeps its arena open, and everything in it works. */
  @Test
  public void aSegmentInUseKeepsItsArenaOpen() throws Exception {
    MemorySegment segment = arena().allocate(64);
    try (PendingRead read = PendingRead.into(segment)) {
      assertThatThrownBy(() -> arena().close()).isInstanceOf(IllegalStateException.class);
      assertThat(arena().scope().isAlive()).isTrue();
      segment.set(JAVA_BYTE, 8, (byte) 1);
      arena().allocate(100).fill((byte) 1);
      Crew.inAnotherThread(
          index ->
              assertThatThrownBy(() -> arena().close()).isInstanceOf(IllegalStateException.class));
      read.complete((byte) 42);
    }
    assertThat(segment.get(JAVA_BYTE, 0)).isEqualTo((byte) 42);
    arena().close();
    assertThat(arena().scope().isAlive()).isFalse();
  }

  /** Of many threads that close at the same time, exactly one succeeds. */
  @Test
  public void exactlyOneOfManyClosesSucceeds() {
    for (int round = 0; round < 100; round++) {
      Arena raced = newArena();
      raced.allocate(100);
      AtomicInteger closed = new AtomicInteger();
      Crew.together(
          4,
          index -> {
            try {
              raced.close();
              closed.incrementAndGet();
            } catch (IllegalStateException e) {
              assertThat(e).hasMessageNotContaining("null");
            }
          });
      assertThat(raced.scope().isAlive()).isFalse();
      assertThat(closed.get()).isEqualTo(1);
    }
  }

  /** Readers that race with close see the data or an {@link IllegalStateException}. */
  @Test
  public void readersRacingWithCloseSeeDataOrThatItIsClosed() {
    for (int round = 0; round < 100; round++) {
      raceReadersWithClose(newArena(), 4);
    }
  }

  /** Allocating that races with close gives a segment or an {@link IllegalStateException}. */
  @Test
  public void allocatingRacingWithCloseGivesASegmentOrThatItIsClosed() {
    for (int round = 0; round < 100; round++) {
      Arena raced = newArena();
      AtomicInteger started = new AtomicInteger();
      Crew.together(
          3,
          index -> {
            if (index == 0) {
              while (started.get() < 2) {
                Thread.onSpinWait();
              }
              closeWithRetries(raced);
            } else {
              started.incrementAndGet();
              try {
                for (int i = 1; i > 0; i++) {
                  raced.allocate(1 + i % 2_000).set(JAVA_BYTE, 0, (byte) 1);
                }
              } catch (IllegalStateException closed) {
                assertThat(raced.scope().isAlive()).isFalse();
              }
            }
          });
    }
  }

  /** Lets threads read until another has closed the arena. */
  static void raceReadersWithClose(Arena raced, int readers) {
    MemorySegment segment = raced.allocate(1_024);
    segment.fill((byte) 0x55);
    AtomicInteger started = new AtomicInteger();
    Crew.together(
        readers + 1,
        index -> {
          if (index == 0) {
            while (started.get() < readers) {
              Thread.onSpinWait();
            }
            closeWithRetries(raced);
          } else {
            started.incrementAndGet();
            readUntilClosed(segment);
          }
        });
    assertThat(raced.scope().isAlive()).isFalse();
    assertThatThrownBy(raced::close).isInstanceOf(IllegalStateException.class);
  }

  private static void readUntilClosed(MemorySegment segment) {
    try {
      for (long at = 0; ; at = (at + 8) & 1_023) {
        if (segment.get(JAVA_LONG, at) != 0x5555555555555555L) {
          throw new AssertionError("bytes of another segment at " + at);
        }
      }
    } catch (IllegalStateException closed) {
      assertThat(segment.scope().isAlive()).isFalse();
    }
  }

  private static void closeWithRetries(Arena raced) {
    while (true) {
      try {
        raced.close();
        return;
      } catch (IllegalStateException inUse) {
        assertThat(raced.scope().isAlive()).isTrue();
      }
    }
  }
}
