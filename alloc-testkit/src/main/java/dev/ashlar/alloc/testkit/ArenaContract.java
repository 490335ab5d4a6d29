// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What {@link Arena} and its parent promise of an arena that can be closed, whoever may use it.
 * Extend {@link ConfinedArenaContract} or {@link SharedArenaContract}, which add what only one kind
 * promises.
 *
 * <p>The arenas of the JDK pass; an arena that passes can take their place.
 */
public abstract class ArenaContract {

  private Arena arena;

  /** For subclasses. */
  protected ArenaContract() {}

  /**
   * Opens an arena. It is called before each test, and by some tests many times.
   *
   * @return an open arena that the calling thread may use
   */
  protected abstract Arena newArena();

  /**
   * Walks what the arenas are made of. It is called after each test, with every arena closed and no
   * thread inside.
   *
   * @throws AssertionError naming what is broken
   */
  protected void checkInvariants() {}

  /**
   * Returns the arena of the running test.
   *
   * @return the arena, closed after the test
   */
  protected final Arena arena() {
    return arena;
  }

  /** Opens the arena of one test. */
  @BeforeEach
  public final void openArena() {
    arena = newArena();
  }

  /** Closes the arena of one test unless the test did. */
  @AfterEach
  public final void closeArena() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
    checkInvariants();
  }

  /** A segment has exactly the requested size, is native and writable to its last byte. */
  @Test
  public void aSegmentHasExactlyTheRequestedSize() {
    for (long size : Sizes.all()) {
      try (Arena one = newArena()) {
        MemorySegment segment = one.allocate(size);
        assertThat(segment.byteSize()).isEqualTo(size);
        assertThat(segment.isNative()).isTrue();
        assertThat(segment.isReadOnly()).isFalse();
        if (size > 0) {
          segment.set(JAVA_BYTE, 0, (byte) 1);
          segment.set(JAVA_BYTE, size - 1, (byte) 2);
        }
        assertThatThrownBy(() -> segment.get(JAVA_BYTE, size))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  /** A segment is aligned as asked and still has exactly the requested size. */
  @Test
  public void aSegmentIsAlignedAsAsked() {
    for (long alignment : Sizes.alignments()) {
      if (alignment > 1L << 26) {
        break; // the JDK's arenas take the alignment's size in memory
      }
      long most = Math.min(alignment, 1L << 20);
      try (Arena one = newArena()) {
        for (long size : new long[] {0, 1, most / 2, most, most + 1}) {
          MemorySegment segment = one.allocate(size, alignment);
          assertThat(segment.byteSize()).isEqualTo(size);
          assertThat(segment.address() % alignment)
              .as("%#x modulo %d", segment.address(), alignment)
              .isZero();
        }
      }
    }
  }

  /** No two segments overlap. */
  @Test
  public void segmentsAreDisjoint() {
    List<MemorySegment> segments = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (long size = 0; size < 300_000; size = size * 3 / 2 + 1) {
        MemorySegment segment = arena.allocate(size, 1L << (size % 7));
        segment.fill((byte) segments.size());
        segments.add(segment);
      }
    }
    for (int i = 0; i < segments.size(); i++) {
      MemorySegment segment = segments.get(i);
      assertThat(firstOtherThan((byte) i, segment)).isEqualTo(-1);
      for (MemorySegment other : segments.subList(0, i)) {
        assertThat(segment.asOverlappingSlice(other)).isEmpty();
      }
    }
  }

  /** Segments are zero, also where closed arenas left their bytes. */
  @Test
  public void segmentsAreZero() {
    for (int round = 0; round < 5; round++) {
      try (Arena one = newArena()) {
        for (long size : Sizes.few()) {
          for (long alignment : new long[] {1, 64, 8_192}) {
            MemorySegment segment = one.allocate(size, alignment);
            assertThat(firstOtherThan((byte) 0, segment)).as("of %d bytes", size).isEqualTo(-1);
            segment.fill((byte) 0xFF);
          }
        }
      }
    }
  }

  /** Zero-size segments are distinct, aligned, not at address 0 and hold no byte. */
  @Test
  public void zeroSizeSegmentsAreDistinct() {
    List<Long> addresses = new ArrayList<>();
    for (long alignment : new long[] {1, 1, 64, 64, 4_096, 4_096}) {
      MemorySegment segment = arena.allocate(0, alignment);
      assertThat(segment.byteSize()).isZero();
      assertThat(segment.address()).isNotZero();
      assertThat(segment.address() % alignment).isZero();
      assertThat(addresses).doesNotContain(segment.address());
      assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> segment.set(JAVA_BYTE, 0, (byte) 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      addresses.add(segment.address());
    }
  }

  /** Bad arguments are refused, and the arena works on. */
  @Test
  public void badArgumentsAreRefused() {
    MemorySegment before = arena.allocate(16);
    List<ThrowingCallable> calls =
        new ArrayList<>(
            List.of(
                () -> arena.allocate(-1),
                () -> arena.allocate(Long.MIN_VALUE),
                () -> arena.allocate(-8, 8),
                () -> arena.allocate(JAVA_LONG, -1),
                () -> arena.allocate(JAVA_LONG, Long.MAX_VALUE / 4),
                () -> arena.allocate(MemoryLayout.sequenceLayout(3, JAVA_LONG), 1L << 60)));
    for (long alignment : Sizes.badAlignments()) {
      calls.add(() -> arena.allocate(8, alignment));
      calls.add(() -> arena.allocate(0, alignment));
    }
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i))
          .as("call %d", i)
          .isInstanceOf(IllegalArgumentException.class);
    }
    before.fill((byte) 1);
    assertThat(arena.allocate(16).asOverlappingSlice(before)).isEmpty();
  }

  /** A size that no memory can hold is out of memory, and the arena works on. */
  @Test
  public void anImpossibleSizeIsOutOfMemory() {
    MemorySegment before = arena.allocate(16);
    assertThatThrownBy(() -> arena.allocate(1L << 60)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> arena.allocate(1L << 60, 64)).isInstanceOf(OutOfMemoryError.class);
    before.fill((byte) 1);
    assertThat(arena.allocate(16).asOverlappingSlice(before)).isEmpty();
  }

  /** Every segment has the scope of its arena, which is alive until close. */
  @Test
  public void segmentsHaveTheScopeOfTheirArena() {
    for (long size : Sizes.few()) {
      MemorySegment segment = arena.allocate(size);
      assertThat(segment.scope()).isEqualTo(arena.scope());
      assertThat(segment.scope().isAlive()).isTrue();
      assertThat(segment.isAccessibleBy(Thread.currentThread())).isTrue();
    }
    assertThat(arena.scope().isAlive()).isTrue();
    arena.close();
    assertThat(arena.scope().isAlive()).isFalse();
  }

  /** The methods that the JDK derives from {@code allocate} work on it. */
  @Test
  public void theMethodsOfSegmentAllocatorWork() {
    assertThat(arena.allocateFrom("grüße").getString(0)).isEqualTo("grüße");
    assertThat(arena.allocateFrom(JAVA_INT, 1, 2, 3).toArray(JAVA_INT)).containsExactly(1, 2, 3);
    assertThat(arena.allocateFrom(JAVA_LONG, 42L).get(JAVA_LONG, 0)).isEqualTo(42L);
    assertThat(arena.allocate(JAVA_LONG).byteSize()).isEqualTo(8);
    assertThat(arena.allocate(JAVA_LONG, 10).byteSize()).isEqualTo(80);
    MemorySegment copied = arena.allocateFrom(JAVA_BYTE, arena.allocate(300), JAVA_BYTE, 0, 300);
    assertThat(copied.byteSize()).isEqualTo(300);
  }

  /** After close no segment is accessible, however it was reached. */
  @Test
  public void noSegmentIsAccessibleAfterClose() {
    List<MemorySegment> segments = new ArrayList<>();
    for (long size : Sizes.few()) {
      segments.add(arena.allocate(size + 8));
      segments.add(arena.allocate(size + 8, 256).asSlice(0, 8));
    }
    ByteBuffer buffer = arena.allocate(32).asByteBuffer();
    arena.close();
    for (MemorySegment segment : segments) {
      assertThat(segment.scope().isAlive()).isFalse();
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> segment.get(JAVA_BYTE, 0),
              () -> segment.set(JAVA_LONG_UNALIGNED, 0, 1L),
              () -> segment.fill((byte) 1),
              () -> segment.asSlice(0, 4).get(JAVA_BYTE, 0),
              () -> segment.toArray(JAVA_BYTE),
              () -> segment.copyFrom(MemorySegment.ofArray(new byte[8])))) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
      }
    }
    assertThatThrownBy(() -> buffer.get(0)).isInstanceOf(IllegalStateException.class);
  }

  /** A closed arena gives out nothing and cannot be closed again. */
  @Test
  public void aClosedArenaRefusesEveryCall() {
    arena.allocate(16);
    arena.close();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> arena.allocate(8),
            () -> arena.allocate(0),
            () -> arena.allocate(8, 64),
            () -> arena.allocate(17L << 20),
            () -> arena.allocate(JAVA_LONG),
            () -> arena.close(),
            () -> arena.close())) {
      assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
    }
  }

  /** An arena that nothing was allocated from closes like any other. */
  @Test
  public void anEmptyArenaCloses() {
    arena.close();
    assertThat(arena.scope().isAlive()).isFalse();
    assertThatThrownBy(() -> arena.close()).isInstanceOf(IllegalStateException.class);
  }

  /** Arenas are independent: closing one leaves the segments of another alone. */
  @Test
  public void closingOneArenaLeavesAnotherAlone() {
    List<MemorySegment> kept = new ArrayList<>();
    for (int round = 0; round < 50; round++) {
      try (Arena other = newArena()) {
        for (long size : new long[] {1, 100, 5_000, 100_000}) {
          other.allocate(size).fill((byte) 0xFF);
          if (round % 10 == 0) {
            MemorySegment segment = arena.allocate(size);
            segment.fill((byte) kept.size());
            kept.add(segment);
          }
        }
      }
    }
    for (int i = 0; i < kept.size(); i++) {
      assertThat(firstOtherThan((byte) i, kept.get(i))).isEqualTo(-1);
    }
  }

  /** Returns the offset of the first byte that differs from a value, or -1. */
  static long firstOtherThan(byte value, MemorySegment segment) {
    return RawBytes.firstOtherThan(segment.address(), segment.byteSize(), value);
  }
}
