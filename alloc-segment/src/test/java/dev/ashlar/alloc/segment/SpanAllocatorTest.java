// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SEGMENT_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICE_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.testkit.FaultyMemory.Call;
import dev.ashlar.alloc.testkit.TestSeed;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpanAllocatorTest {

  private static final PageOwner OWNER = () -> null;

  private final TestSpace space = new TestSpace(16);
  private final SpanAllocator spans = space.spans(SegmentPool.DEFAULT);

  @AfterEach
  void everythingIsGivenBackAtClose() {
    space.memory.allow();
    Invariants.check(spans);
    spans.close();
    SpanStats stats = spans.stats();
    assertThat(stats.reservedBytes()).isZero();
    assertThat(stats.committedBytes()).isZero();
    assertThat(space.map.space().takenBytes()).isZero();
    space.close();
  }

  @Test
  void freeNeighboursCoalesceInEveryOrder() {
    int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int[] order : orders) {
      long[] blocks = new long[3];
      for (int i = 0; i < 3; i++) {
        blocks[i] = spans.takeLarge(10 * SLICE_BYTES, 1).address();
      }
      assertThat(blocks[2] - blocks[0]).isEqualTo(20 * SLICE_BYTES);
      for (int i : order) {
        assertThat(spans.giveLargeAt(blocks[i])).isTrue();
        Invariants.check(spans);
      }
      spans.freeKept();
      Invariants.check(spans);
      assertThat(spans.emptySegments()).isEqualTo(1);
    }
  }

  @Test
  void theLargeBlockFreedLastIsThereAgainForItsSize() {
    long a = spans.takeLarge(10 * SLICE_BYTES, 1).address();
    spans.giveLargeAt(a);
    assertThat(spans.kept()).as("what is kept").isNotNull();
    assertThat(spans.stats().largeBlocks()).isZero();
    assertThat(spans.giveLargeAt(a)).as("free twice").isFalse();
    assertThat(spans.map().spanAt(a)).isNull();
    assertThat(spans.map().segmentAt(a).spanAround(a)).isNull();
    Span again = spans.takeLarge(10 * SLICE_BYTES, 1);
    assertThat(again.address()).isEqualTo(a);
    assertThat(again.zero()).isFalse();
    assertThat(spans.largeBytesAt(a)).isEqualTo(10 * SLICE_BYTES);
    Invariants.check(spans);
  }

  @Test
  void theLargeBlockFreedLastIsNoHindranceToOthers() {
    long a = spans.takeLarge(10 * SLICE_BYTES, 1).address();
    long b = spans.takeLarge(SLICE_BYTES, 1).address();
    spans.giveLargeAt(a);
    assertThat(spans.takeLarge(4 * SLICE_BYTES, 1).address()).as("another size").isEqualTo(a);
    spans.giveLargeAt(a);
    assertThat(spans.takeLarge(4 * SLICE_BYTES, SEGMENT_BYTES / 2).address())
        .as("another alignment")
        .matches(address -> address % (SEGMENT_BYTES / 2) == 0);
    spans.giveLargeAt(a + 4 * SLICE_BYTES); // none
    long c = spans.takeLarge(3 * SLICE_BYTES, 1).address();
    spans.giveLargeAt(c);
    assertThat(spans.resizeLargeAt(b, SEGMENT_BYTES / 4)).as("growth over it").isTrue();
    Invariants.check(spans);
  }

  @Test
  void nothingIsKeptWherePolicyKeepsNothing() {
    SpanAllocator none = space.spans(new SegmentPool(0));
    long a = none.takeLarge(10 * SLICE_BYTES, 1).address();
    none.giveLargeAt(a);
    assertThat(none.kept()).isNull();
    assertThat(none.stats().reservedBytes()).isZero();
    none.close();
    long large = spans.takeLarge(SpanAllocator.KEPT_BYTES + SLICE_BYTES, 1).address();
    spans.giveLargeAt(large);
    assertThat(spans.kept()).as("too large").isNull();
  }

  @Test
  void takesTheShortestSpanThatFits() {
    long a = spans.takeLarge(20 * SLICE_BYTES, 1).address();
    long wall = spans.takeLarge(SLICE_BYTES, 1).address();
    long b = spans.takeLarge(12 * SLICE_BYTES, 1).address();
    spans.takeLarge(SLICE_BYTES, 1);
    spans.giveLargeAt(a);
    spans.giveLargeAt(b);
    assertThat(spans.takeLarge(11 * SLICE_BYTES, 1).address()).isEqualTo(b);
    assertThat(spans.takeLarge(13 * SLICE_BYTES, 1).address()).isEqualTo(a);
    assertThat(wall).isBetween(a, b);
  }

  @Test
  void aSpanSaysZeroOnlyWhenItIs() {
    Span fresh = spans.takeLarge(8 * SLICE_BYTES, 1);
    long address = fresh.address();
    assertThat(fresh.zero()).isTrue();
    RawMemory.fill(address + 3 * SLICE_BYTES, 1, (byte) 1);
    spans.giveLargeAt(address);
    Span mixed = spans.takeLarge(12 * SLICE_BYTES, 1);
    assertThat(mixed.address()).isEqualTo(address);
    assertThat(mixed.zero()).isFalse();
    assertThat(spans.takeLarge(SLICE_BYTES, 1).zero()).isTrue();
  }

  @Test
  void alignsSpansInsideAndAcrossSegments() {
    spans.takeLarge(SLICE_BYTES, 1);
    for (long alignment = SLICE_BYTES; alignment <= 4 * SEGMENT_BYTES; alignment *= 2) {
      Span span = spans.takeLarge(3 * SLICE_BYTES, alignment);
      assertThat(span.address() % alignment).as("alignment %d", alignment).isZero();
      Invariants.check(spans);
    }
  }

  @Test
  void resizesInPlaceIntoFreeNeighboursOnly() {
    long a = spans.takeLarge(10 * SLICE_BYTES, 1).address();
    long b = spans.takeLarge(10 * SLICE_BYTES, 1).address();
    assertThat(spans.resizeLargeAt(a, 11 * SLICE_BYTES)).isFalse();
    assertThat(spans.resizeLargeAt(b, 20 * SLICE_BYTES)).isTrue();
    Invariants.check(spans);
    assertThat(spans.resizeLargeAt(b, 2 * SLICE_BYTES)).isTrue();
    assertThat(spans.largeBytesAt(b)).isEqualTo(2 * SLICE_BYTES);
    Invariants.check(spans);
    assertThat(spans.resizeLargeAt(b, SEGMENT_BYTES)).isFalse();
    assertThat(spans.resizeLargeAt(a + SLICE_BYTES, SLICE_BYTES)).isFalse();
    spans.giveLargeAt(a);
    spans.giveLargeAt(b);
  }

  @Test
  void hugeBlocksHaveSegmentsOfTheirOwnAndGiveThemBack() {
    long bytes = 3 * SEGMENT_BYTES + SLICE_BYTES;
    long address = spans.takeLarge(bytes, 1).address();
    RawMemory.putByte(address + bytes - 1, (byte) 1);
    assertThat(spans.stats().segments()).isEqualTo(1);
    assertThat(spans.stats().committedBytes()).isEqualTo(bytes);
    assertThat(spans.resizeLargeAt(address, bytes + 5 * SLICE_BYTES)).isTrue();
    assertThat(RawMemory.getByte(address + bytes - 1)).isEqualTo((byte) 1);
    assertThat(spans.resizeLargeAt(address, 2 * bytes)).isFalse();
    assertThat(spans.resizeLargeAt(address, SEGMENT_BYTES)).isFalse();
    Invariants.check(spans);
    assertThat(spans.giveLargeAt(address)).isTrue();
    assertThat(spans.giveLargeAt(address)).isFalse();
    assertThat(spans.stats()).isEqualTo(new SpanStats(0, 0, 0, 0, 0, 0));
    Span again = spans.takeLarge(bytes, 1);
    assertThat(again.zero()).isTrue();
    assertThat(RawMemory.getByte(again.address() + bytes - 1)).isZero();
  }

  @Test
  void keepsAsManyEmptySegmentsAsThePoolSays() {
    for (int kept = 0; kept < 3; kept++) {
      SpanAllocator some = space.spans(new SegmentPool(kept));
      List<Long> blocks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        blocks.add(some.takeLarge(SpanAllocator.LARGE_BYTES, 1).address());
      }
      assertThat(some.stats().segments()).isEqualTo(4);
      blocks.forEach(some::giveLargeAt);
      assertThat(some.stats().segments()).isEqualTo(kept);
      Invariants.check(some);
      some.close();
    }
    assertThatThrownBy(() -> new SegmentPool(-1)).hasMessageContaining("keptSegments -1");
  }

  @Test
  void anExhaustedAddressSpaceIsToldAndChangesNothing() {
    spans.takeLarge(SLICE_BYTES, 1);
    SpanStats before = spans.stats();
    assertThatThrownBy(() -> spans.takeLarge(17 * SEGMENT_BYTES, 1))
        .isInstanceOfSatisfying(
            NativeMemoryExhaustedError.class,
            e -> {
              assertThat(e.level()).isEqualTo("address space");
              assertThat(e.limit()).isEqualTo(16 * SEGMENT_BYTES);
              assertThat(e.requested()).isEqualTo(17 * SEGMENT_BYTES);
            });
    assertThat(spans.stats()).isEqualTo(before);
    spans.takeLarge(15 * SEGMENT_BYTES, 1);
  }

  @Test
  void aRefusedPurgeIsCountedAndTheSegmentStaysUsable() {
    SpanAllocator none = space.spans(new SegmentPool(0));
    long address = none.takeLarge(SLICE_BYTES, 1).address();
    space.memory.refuseAll(EnumSet.of(Call.DECOMMIT));
    assertThat(none.giveLargeAt(address)).isTrue();
    assertThat(none.stats().refusedPurges()).isEqualTo(1);
    assertThat(none.stats().segments()).isEqualTo(1);
    Invariants.check(none);
    Span again = none.takeLarge(SLICE_BYTES, 1);
    assertThat(again.address()).isEqualTo(address);
    assertThat(again.zero()).isFalse();
    space.memory.allow();
    none.giveLargeAt(address);
    assertThat(none.stats().segments()).isZero();
    none.close();
  }

  @Test
  void collectingGivesBackAllThatIsFreeAndNothingElse() {
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      long address = spans.takeLarge(SpanAllocator.LARGE_BYTES / 4, 1).address();
      RawMemory.fill(address, SpanAllocator.LARGE_BYTES / 4, (byte) i);
      blocks.add(address);
    }
    for (int i = 0; i < 8; i++) { // a whole segment, and each second block of another
      spans.giveLargeAt(blocks.get(i));
    }
    spans.giveLargeAt(blocks.get(8));
    spans.giveLargeAt(blocks.get(10)); // is kept
    SpanStats before = spans.stats();
    long given = spans.collect();
    assertThat(given).isEqualTo(before.committedBytes() - spans.stats().committedBytes());
    assertThat(spans.stats().committedBytes()).isEqualTo(SpanAllocator.LARGE_BYTES / 2);
    assertThat(spans.stats().segments()).isEqualTo(1);
    assertThat(spans.kept()).isNull();
    Invariants.check(spans);
    assertThat(RawMemory.getByte(blocks.get(9))).isEqualTo((byte) 9);
    assertThat(RawMemory.getByte(blocks.get(11))).isEqualTo((byte) 11);
    assertThat(spans.collect()).as("what a second one finds").isZero();
    Span again = spans.takeLarge(SpanAllocator.LARGE_BYTES / 4, 1);
    assertThat(again.zero()).isTrue();
    assertThat(RawMemory.getByte(again.address())).isZero();
  }

  @Test
  void whatIsRefusedWhileCollectingIsCountedAndStaysUsable() {
    long a = spans.takeLarge(10 * SLICE_BYTES, 1).address();
    spans.takeLarge(SLICE_BYTES, 1);
    long b = spans.takeLarge(10 * SLICE_BYTES, 1).address();
    spans.takeLarge(SLICE_BYTES, 1);
    RawMemory.fill(a, 10 * SLICE_BYTES, (byte) 1);
    spans.giveLargeAt(a);
    spans.giveLargeAt(b);
    space.memory.refuse(EnumSet.of(Call.DECOMMIT), 1);
    long before = spans.stats().committedBytes();
    assertThat(spans.collect()).isEqualTo(before - spans.stats().committedBytes());
    assertThat(spans.stats().refusedPurges()).isEqualTo(1);
    assertThat(spans.stats().committedBytes())
        .as("what is still committed")
        .isEqualTo(12 * SLICE_BYTES);
    Invariants.check(spans);
    for (int i = 0; i < 2; i++) {
      Span again = spans.takeLarge(10 * SLICE_BYTES, 1);
      assertThat(again.address()).isIn(a, b);
      assertThat(again.zero()).as("zero where it was done").isEqualTo(again.address() == b);
    }
  }

  @Test
  void aCommitThatIsRefusedHalfWayTakesItsFirstHalfBack() {
    long head = spans.takeLarge(100 * SLICE_BYTES, 1).address();
    long island = spans.takeLarge(16 * SLICE_BYTES, 1).address();
    spans.giveLargeAt(head);
    spans.collect();
    spans.giveLargeAt(island);
    spans.freeKept();
    SpanStats before = spans.stats();
    for (int call = 1; call <= 3; call++) { // before the island, behind it, and what is untouched
      space.memory.refuse(EnumSet.of(Call.COMMIT), call);
      assertThatThrownBy(() -> spans.takeLarge(SpanAllocator.LARGE_BYTES, 1))
          .isInstanceOf(NativeMemoryExhaustedError.class);
      assertThat(spans.stats()).as("call %d refused", call).isEqualTo(before);
      Invariants.check(spans);
    }
    Span whole = spans.takeLarge(SpanAllocator.LARGE_BYTES, 1);
    assertThat(whole.address()).isEqualTo(head);
    assertThat(whole.zero()).isFalse();
  }

  @Test
  void memoryWhoseDecommitIsRefusedAtCloseIsZeroForItsNextUser() {
    SpanAllocator dying = space.spans(SegmentPool.DEFAULT);
    long small = dying.takeLarge(2 * SLICE_BYTES, 1).address();
    long huge = dying.takeLarge(SEGMENT_BYTES + SLICE_BYTES, 1).address();
    RawMemory.fill(small, 2 * SLICE_BYTES, (byte) 7);
    RawMemory.fill(huge, SLICE_BYTES, (byte) 7);
    space.memory.refuseAll(EnumSet.of(Call.DECOMMIT));
    dying.close();
    space.memory.allow();
    assertThat(dying.stats().refusedPurges()).isPositive();
    assertThat(RawMemory.getByte(small)).isZero();
    assertThat(RawMemory.getByte(huge)).isZero();
  }

  @Test
  void everyRefusedCommitLeavesEverythingAsItWas() {
    long seed = TestSeed.choose("refused commits of spans");
    for (int call = 1; ; call++) {
      SpanAllocator some = space.spans(SegmentPool.DEFAULT);
      SplittableRandom random = new SplittableRandom(seed);
      space.memory.refuse(EnumSet.of(Call.COMMIT), call);
      List<Long> blocks = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        long bytes = (1 + random.nextLong(600)) * SLICE_BYTES;
        SpanStats before = some.stats();
        boolean keepsSpan = some.kept() != null; // which is freed, and maybe its segment, at need
        try {
          blocks.add(some.takeLarge(bytes, 1).address());
        } catch (NativeMemoryExhaustedError e) {
          assertThat(e.level()).isEqualTo("operating system");
          assertThat(before.segments() - some.stats().segments()).isBetween(0, keepsSpan ? 1 : 0);
          assertThat(some.stats().largeBytes()).isEqualTo(before.largeBytes());
          Invariants.check(some);
          blocks.add(some.takeLarge(bytes, 1).address());
        }
        if (blocks.size() > 8) {
          some.giveLargeAt(blocks.remove(random.nextInt(blocks.size())));
        }
      }
      Invariants.check(some);
      some.close();
      if (space.memory.refused() == 0) {
        assertThat(call).isGreaterThan(20);
        return;
      }
    }
  }

  @Test
  void randomProgramsKeepEveryInvariant() {
    long seed = TestSeed.choose("random spans");
    SplittableRandom random = new SplittableRandom(seed);
    List<Object> held = new ArrayList<>();
    for (int i = 0; i < 60_000; i++) {
      int what = random.nextInt(10);
      if (what < 3 && held.size() < 400) {
        held.add(spans.takePage(OWNER, 1 + random.nextInt(SizeClasses.LAST_MEDIUM)));
      } else if (what < 5 && held.size() < 400) {
        long bytes = (1 + random.nextLong(40)) * SLICE_BYTES;
        held.add(spans.takeLarge(bytes, 1L << random.nextInt(22)).address());
      } else if (what < 6 && !held.isEmpty()) {
        if (held.get(random.nextInt(held.size())) instanceof Long address) {
          spans.resizeLargeAt(address, (1 + random.nextLong(60)) * SLICE_BYTES);
        }
      } else if (!held.isEmpty()) {
        switch (held.remove(random.nextInt(held.size()))) {
          case Page page -> spans.givePage(page);
          case Long address -> assertThat(spans.giveLargeAt(address)).isTrue();
          default -> throw new AssertionError();
        }
      }
      if (i % 64 == 0) {
        Invariants.check(spans);
      }
    }
  }
}
