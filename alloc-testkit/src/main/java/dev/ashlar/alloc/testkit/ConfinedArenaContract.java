// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What {@link Arena#ofConfined()} promises: only the thread that opened the arena may use it.
 *
 * <p>Not here: that close is refused while a segment is in use. Only native code can hold a
 * confined segment across a call to close by the same thread, and none of it is portable.
 */
public abstract class ConfinedArenaContract extends ArenaContract {

  /** For subclasses. */
  protected ConfinedArenaContract() {}

  /**
   * Another thread can neither allocate nor read nor write nor close, and nothing changes by it.
   */
  @Test
  public void anotherThreadIsRefused() {
    MemorySegment segment = arena().allocate(64);
    segment.fill((byte) 5);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> arena().allocate(8),
            () -> arena().allocate(0),
            () -> arena().allocate(8, 64),
            () -> arena().allocate(17L << 20),
            () -> segment.get(JAVA_BYTE, 0),
            () -> segment.set(JAVA_BYTE, 0, (byte) 1),
            () -> segment.fill((byte) 1),
            () -> segment.asSlice(8).get(JAVA_BYTE, 0),
            () -> arena().close())) {
      Crew.inAnotherThread(
          index -> assertThatThrownBy(call).isInstanceOf(WrongThreadException.class));
      Crew.togetherVirtually(
          1, index -> assertThatThrownBy(call).isInstanceOf(WrongThreadException.class));
    }
    assertThat(arena().scope().isAlive()).isTrue();
    assertThat(firstOtherThan((byte) 5, segment)).isEqualTo(-1);
    MemorySegment next = arena().allocate(64);
    assertThat(next.asOverlappingSlice(segment)).isEmpty();
  }

  /** A segment says that only the owner may access it. */
  @Test
  public void aSegmentIsAccessibleByItsOwnerOnly() {
    for (long size : Sizes.few()) {
      MemorySegment segment = arena().allocate(size);
      assertThat(segment.isAccessibleBy(Thread.currentThread())).isTrue();
      Crew.inAnotherThread(
          index -> assertThat(segment.isAccessibleBy(Thread.currentThread())).isFalse());
    }
  }

  /** Each thread may have an arena of its own at the same time. */
  @Test
  public void eachThreadMayHaveItsOwn() {
    Crew.together(
        8,
        index -> {
          for (int round = 0; round < 200; round++) {
            try (Arena own = newArena()) {
              MemorySegment small = own.allocate(100);
              MemorySegment large = own.allocate(20_000 + index);
              assertThat(firstOtherThan((byte) 0, small)).isEqualTo(-1);
              assertThat(firstOtherThan((byte) 0, large)).isEqualTo(-1);
              small.fill((byte) (index + 1));
              large.fill((byte) (index + 1));
              assertThat(firstOtherThan((byte) (index + 1), small)).isEqualTo(-1);
              assertThat(firstOtherThan((byte) (index + 1), large)).isEqualTo(-1);
            }
          }
        });
  }

  /** A virtual thread owns its arena wherever it is mounted. */
  @Test
  public void aVirtualThreadMayHaveItsOwn() {
    Crew.togetherVirtually(
        200,
        index -> {
          try (Arena own = newArena()) {
            MemorySegment segment = own.allocate(100);
            for (int i = 0; i < 10; i++) {
              segment.set(JAVA_BYTE, i, (byte) index);
              Thread.yield();
              assertThat(segment.get(JAVA_BYTE, i)).isEqualTo((byte) index);
              own.allocate(1_000);
            }
          }
        });
  }
}
