// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.heap.AllocatorInvariants;
import dev.ashlar.alloc.testkit.Crew;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Faults that people reported in other allocators, tried on this one: arenas. */
class ReportedArenaFaultsTest {

  private final Allocator allocator = Ashlar.builder().name("arenas").build();

  @AfterEach
  void everythingIsFreeAndSound() {
    AllocatorInvariants.check(allocator);
    assertThat(allocator.stats().liveBlocks()).isZero();
    allocator.close();
  }

  private List<Arena> oneOfEachKind() {
    return List.of(allocator.newConfinedArena(), allocator.newSharedArena());
  }

  // https://github.com/openjdk/jdk/pull/25485 , https://github.com/openjdk/panama-foreign/pull/650
  // ,
  // https://github.com/openjdk/jdk19/pull/50 , https://github.com/openjdk/jdk/pull/31365 ,
  // https://github.com/openjdk/jdk/pull/17079
  @Test
  @DisplayName("B36: zero-size segments have addresses of their own, and bad sizes are refused")
  void zeroSizesAreDistinctAndBadSizesRefused() {
    for (Arena arena : oneOfEachKind()) {
      Set<Long> addresses = new HashSet<>();
      for (long alignment : new long[] {1, 1, 64, 64}) {
        MemorySegment segment = arena.allocate(0, alignment);
        assertThat(segment.byteSize()).isZero();
        assertThat(segment.address()).isNotZero();
        assertThat(segment.address() % alignment).isZero();
        assertThat(addresses.add(segment.address())).as("an address of its own").isTrue();
        assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.allocate(8, 0)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.allocate(8, 3)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.allocate(JAVA_LONG, Long.MAX_VALUE / 4))
          .isInstanceOf(IllegalArgumentException.class);
      arena.close();
    }
  }

  /** Zero-size segments among others share no address with any of them. */
  @Test
  @DisplayName("JDK 25485: no two live segments of an arena begin at one address")
  void noTwoSegmentsBeginAtOneAddress() {
    for (Arena arena : oneOfEachKind()) {
      Set<Long> addresses = new HashSet<>();
      for (int i = 0; i < 10_000; i++) {
        long size = i % 3 == 0 ? 0 : i % 50;
        assertThat(addresses.add(arena.allocate(size, 1L << (i % 5)).address()))
            .as("segment %d", i)
            .isTrue();
      }
      arena.close();
    }
  }

  // https://github.com/apache/lucene/pull/12785 , https://github.com/apache/lucene/pull/12705
  @Test
  @DisplayName("B37: readers see data or that the arena is closed while another thread closes it")
  void readersRaceWithClose() {
    int readers = 4;
    int rounds = 10_000;
    AtomicReference<MemorySegment> current = new AtomicReference<>();
    AtomicLong[] seen = new AtomicLong[readers];
    for (int i = 0; i < readers; i++) {
      seen[i] = new AtomicLong();
    }
    Crew.together(
        readers + 1,
        index -> {
          if (index == readers) {
            for (int round = 1; round <= rounds; round++) {
              publishAndClose(current, seen[round % readers], round);
            }
            current.set(MemorySegment.NULL);
          } else {
            readUntilTheEnd(current, seen[index]);
          }
        });
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  /** Opens an arena, closes it as soon as one of the readers is at it, and tries a second close. */
  private void publishAndClose(
      AtomicReference<MemorySegment> current, AtomicLong seen, long round) {
    Arena arena = allocator.newSharedArena();
    MemorySegment segment = arena.allocate(256, 8);
    for (long at = 0; at < 256; at += 8) {
      segment.set(JAVA_LONG, at, round);
    }
    current.set(segment);
    while (seen.get() < round) {
      Thread.yield();
    }
    while (arena.scope().isAlive()) {
      try {
        arena.close();
      } catch (IllegalStateException inUse) {
        // The failed close has left everything as it was.
        assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(round);
        assertThat(arena.allocate(8).byteSize()).isEqualTo(8);
      }
    }
    assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
  }

  private static void readUntilTheEnd(AtomicReference<MemorySegment> current, AtomicLong seen) {
    while (true) {
      MemorySegment segment = current.get();
      if (MemorySegment.NULL.equals(segment)) {
        return;
      }
      if (segment != null) {
        try {
          long round = segment.get(JAVA_LONG, 0);
          seen.set(round);
          for (int i = 0; i < 1_000; i++) {
            if (segment.get(JAVA_LONG, (i & 31) * 8L) != round) {
              throw new AssertionError("another round's bytes in round " + round);
            }
          }
        } catch (IllegalStateException closed) {
          assertThat(segment.scope().isAlive()).as("%s", closed).isFalse();
        }
      }
      Thread.yield();
    }
  }

  // https://github.com/openjdk/panama-foreign/pull/136 ,
  // https://github.com/openjdk/panama-foreign/pull/537
  @Test
  @DisplayName("panama-foreign 136 and 537: an over-aligned segment is exactly as long as asked")
  void anOverAlignedSegmentIsExactlyAsLongAsAsked() {
    for (Arena arena : oneOfEachKind()) {
      List<MemorySegment> segments = new ArrayList<>();
      for (long alignment = 1; alignment <= 1 << 16; alignment *= 2) {
        for (long size : new long[] {1, 7, 2_047, 2_048, 2_049, 70_000}) {
          MemorySegment segment = arena.allocate(size, alignment);
          assertThat(segment.byteSize()).isEqualTo(size);
          assertThat(segment.address() % alignment).isZero();
          segment.fill((byte) segments.size());
          segments.add(segment);
        }
      }
      for (int i = 0; i < segments.size(); i++) {
        byte tag = (byte) i;
        assertThat(segments.get(i).toArray(JAVA_BYTE)).containsOnly(tag);
      }
      arena.close();
    }
  }

  @Test
  @DisplayName("the memory of closed arenas is used again")
  void theMemoryOfClosedArenasIsUsedAgain() {
    long reserved = 0;
    for (int round = 0; round < 2_000; round++) {
      for (Arena arena : oneOfEachKind()) {
        arena.allocate(100);
        arena.allocate(10_000, 64);
        arena.allocate(1L << 20).set(JAVA_BYTE, 0, (byte) 1);
        arena.close();
      }
      if (round == 20) {
        reserved = allocator.stats().reservedBytes();
      }
    }
    assertThat(allocator.stats().reservedBytes()).isEqualTo(reserved);
  }
}
