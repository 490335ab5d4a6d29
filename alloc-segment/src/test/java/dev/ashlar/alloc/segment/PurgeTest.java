// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SEGMENT_BYTES;
import static dev.ashlar.alloc.segment.Segment.SLICE_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.PurgeMode;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.testkit.FaultyMemory.Call;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is purged when, by a clock that stands still between the steps. */
class PurgeTest {

  /** The delay, in units of which the tests count. */
  private static final long D = 1_000_000_000;

  private static final Purge TIMED = Purge.DEFAULT.withDelayNanos(D).withBackground(false);

  /** Too large to be kept for the next of its size. */
  private static final long REGION = SpanAllocator.KEPT_BYTES + SLICE_BYTES;

  private final TestSpace space = new TestSpace(16);
  private int drains;
  private SpanAllocator spans;

  @AfterEach
  void everythingIsGivenBackAtClose() {
    space.memory.allow();
    Invariants.check(spans);
    spans.close();
    assertThat(spans.stats().committedBytes()).isZero();
    space.close();
  }

  private void open(Purge purge) {
    spans = space.spans(SegmentPool.DEFAULT, purge, () -> drains++, Purger.PROCESS);
  }

  private long take(long bytes) {
    long address = spans.takeLarge(bytes, 1).address();
    RawMemory.fill(address, bytes, (byte) 1);
    return address;
  }

  /** Takes a region with something in use behind it, so that it stays a region of its own. */
  private long takeRegion() {
    long address = take(REGION);
    take(SLICE_BYTES);
    return address;
  }

  private long committed() {
    return spans.stats().committedBytes();
  }

  /** Moves the clock to a time in tenths of the delay, from when it was at another. */
  private void advance(int fromTenths, int toTenths) {
    space.clock.advance((toTenths - fromTenths) * (D / 10));
  }

  private boolean isPurged(long address) {
    Segment segment = spans.map().segmentAt(address);
    return segment == null
        || segment.states[(int) (address - segment.base >>> Segment.SLICE_SHIFT)]
            == SliceState.DECOMMITTED;
  }

  // https://github.com/microsoft/mimalloc/issues/1246
  @Test
  @DisplayName("B19: a pass that finds nothing due loses no later time")
  void eachRegionIsPurgedInItsOwnTime() {
    open(TIMED);
    long x = takeRegion();
    long y = takeRegion();
    spans.giveLargeAt(x);
    advance(0, 5);
    spans.giveLargeAt(y);
    advance(5, 9);
    assertThat(spans.purgeDue()).as("until the next is due").isEqualTo(D / 10);
    assertThat(isPurged(x)).as("X at 0.9").isFalse();
    advance(9, 11);
    assertThat(spans.purgeDue()).as("until the next is due").isEqualTo(D * 4 / 10);
    assertThat(isPurged(x)).as("X at 1.1").isTrue();
    assertThat(isPurged(y)).as("Y at 1.1").isFalse();
    advance(11, 16);
    assertThat(spans.purgeDue()).as("until the next is due").isEqualTo(-1);
    assertThat(isPurged(y)).as("Y at 1.6").isTrue();
    Invariants.check(spans);
    advance(16, 20);
    long calls = space.memory.made().size();
    spans.purgeDue();
    assertThat(space.memory.made()).as("calls when nothing is left").hasSize((int) calls);
  }

  @Test
  void aSpanIsPurgedNoSoonerThanWhenItIsDue() {
    open(TIMED);
    long region = takeRegion();
    long committed = committed();
    spans.giveLargeAt(region);
    space.clock.advance(D - 1);
    spans.purgeDue();
    assertThat(committed()).isEqualTo(committed);
    space.clock.advance(D / 16);
    assertThat(spans.purgeDue()).isEqualTo(-1);
    assertThat(committed()).as("falls by what was purged").isEqualTo(committed - REGION);
    assertThat(RawMemory.getByte(region)).isZero();
  }

  @Test
  void neighboursThatComeLaterDelayNothing() {
    open(TIMED);
    long[] blocks = new long[20];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = take(REGION / 20 & -SLICE_BYTES);
    }
    take(SLICE_BYTES);
    for (int i = 0; i < blocks.length; i++) { // each coalesces with what was free before
      spans.giveLargeAt(blocks[i]);
      spans.freeKept();
      advance(0, 1);
      spans.purgeDue();
      for (int k = 0; k < i; k++) {
        // A tenth later each, and a tenth for the pass.
        assertThat(isPurged(blocks[k])).as("%d after %d", k, i).isEqualTo(i + 1 - k >= 10);
      }
      Invariants.check(spans);
    }
  }

  @Test
  void aSpanThatIsTakenAndFreedAgainStartsAnew() {
    open(TIMED);
    long region = takeRegion();
    spans.giveLargeAt(region);
    advance(0, 6);
    assertThat(take(REGION)).isEqualTo(region);
    advance(6, 9);
    spans.giveLargeAt(region);
    advance(9, 14);
    assertThat(spans.purgeDue()).isEqualTo(D / 2);
    assertThat(isPurged(region)).isFalse();
    advance(14, 19);
    spans.purgeDue();
    assertThat(isPurged(region)).isTrue();
  }

  @Test
  void anEmptySegmentGoesWithItsMemory() {
    open(TIMED);
    long region = take(REGION);
    spans.giveLargeAt(region);
    assertThat(spans.stats().segments()).isEqualTo(1);
    advance(0, 10);
    spans.purgeDue();
    assertThat(spans.stats()).isEqualTo(new SpanStats(0, 0, 0, 0, 0, 0));
  }

  @Test
  void aPassPurgesManySegmentsAndDrainsOnce() {
    open(TIMED);
    long[] regions = new long[10];
    for (int i = 0; i < regions.length; i++) {
      regions[i] = take(SpanAllocator.LARGE_BYTES);
      RawMemory.fill(regions[i], SpanAllocator.LARGE_BYTES, (byte) 1);
    }
    long wall = take(SLICE_BYTES);
    for (long region : regions) {
      spans.giveLargeAt(region);
    }
    assertThat(committed()).isGreaterThan(SEGMENT_BYTES);
    advance(0, 10);
    drains = 0;
    assertThat(spans.purgeDue()).isEqualTo(-1);
    assertThat(drains).isEqualTo(1);
    // What was committed ahead of the wall is untouched, and zero.
    assertThat(committed()).isLessThanOrEqualTo(16 * SLICE_BYTES);
    assertThat(spans.map().spanAt(wall)).isNotNull();
  }

  @Test
  void passesKeepAPause() {
    open(TIMED);
    long a = takeRegion();
    long b = takeRegion();
    spans.giveLargeAt(a);
    space.clock.advance(D / 1_000);
    spans.giveLargeAt(b);
    space.clock.advance(D * 999 / 1_000);
    assertThat(spans.purgeDue()).as("though more is due sooner").isEqualTo(D / 16);
    assertThat(isPurged(a)).isTrue();
    assertThat(isPurged(b)).isFalse();
    space.clock.advance(D / 16);
    assertThat(spans.purgeDue()).isEqualTo(-1);
    assertThat(isPurged(b)).isTrue();
  }

  @Test
  void whoeverWorksWithSpansPurgesWhatIsDue() {
    open(TIMED);
    long a = takeRegion();
    long b = takeRegion();
    spans.giveLargeAt(a);
    advance(0, 9);
    long wall = take(SLICE_BYTES); // the first of what is free
    assertThat(isPurged(a + REGION / 2)).isFalse();
    advance(9, 10);
    take(SLICE_BYTES);
    assertThat(isPurged(a + REGION / 2)).as("by taking").isTrue();
    spans.giveLargeAt(b);
    advance(0, 10);
    spans.giveLargeAt(wall); // is kept, with a reading
    assertThat(isPurged(b)).as("by freeing").isTrue();
  }

  @Test
  void aRefusedPurgeIsCountedAndTriedAgainADelayLater() {
    open(TIMED);
    long region = takeRegion();
    spans.giveLargeAt(region);
    long committed = committed();
    advance(0, 10);
    space.memory.refuseAll(EnumSet.of(Call.DECOMMIT));
    assertThat(spans.purgeDue()).isEqualTo(D);
    assertThat(spans.stats().refusedPurges()).isEqualTo(1);
    assertThat(committed()).isEqualTo(committed);
    assertThat(RawMemory.getByte(region)).isEqualTo((byte) 1);
    Invariants.check(spans);
    advance(0, 9);
    spans.purgeDue();
    assertThat(spans.stats().refusedPurges()).as("before it is due again").isEqualTo(1);
    space.memory.allow();
    advance(9, 10);
    spans.purgeDue();
    assertThat(isPurged(region)).isTrue();
  }

  // ---- the kept span

  @Test
  void takingAndFreeingOneLargeBlockInTurnReadsNoClock() {
    open(TIMED);
    long block = take(4 << 20);
    spans.giveLargeAt(block);
    long reads = space.clock.reads();
    for (int i = 0; i < 1_000; i++) {
      spans.takeLarge(4 << 20, 1);
      spans.giveLargeAt(block);
    }
    assertThat(space.clock.reads()).isEqualTo(reads);
  }

  @Test
  void aKeptSpanThatIsInUseAllTheTimeIsNotPurged() {
    open(TIMED);
    long block = take(4 << 20);
    for (int tenth = 0; tenth < 50; tenth++) {
      spans.giveLargeAt(block);
      advance(0, 1);
      spans.purgeDue();
      assertThat(spans.kept()).as("what is kept").isNotNull();
      assertThat(spans.takeLarge(4 << 20, 1).address()).isEqualTo(block);
    }
    assertThat(RawMemory.getByte(block)).isEqualTo((byte) 1);
  }

  @Test
  void aKeptSpanThatIsLeftAloneIsPurged() {
    open(TIMED);
    long block = take(4 << 20);
    take(SLICE_BYTES);
    spans.giveLargeAt(block);
    advance(0, 9);
    spans.purgeDue();
    assertThat(spans.kept()).isNotNull();
    advance(9, 10);
    assertThat(spans.purgeDue()).isEqualTo(-1);
    assertThat(spans.kept()).isNull();
    assertThat(isPurged(block)).isTrue();
    Invariants.check(spans);
  }

  @Test
  void aKeptSpanThatCameBackWithoutAReadingIsPurgedADelayAfterAPassSawIt() {
    open(TIMED);
    long block = take(4 << 20);
    take(SLICE_BYTES);
    spans.giveLargeAt(block);
    advance(0, 5);
    spans.takeLarge(4 << 20, 1);
    spans.giveLargeAt(block);
    advance(5, 10);
    assertThat(spans.purgeDue()).isEqualTo(D);
    assertThat(isPurged(block)).isFalse();
    advance(10, 20);
    assertThat(spans.purgeDue()).isEqualTo(-1);
    assertThat(isPurged(block)).isTrue();
  }

  @Test
  void aKeptSpanThatIsFreedForAnotherKeepsItsTime() {
    open(TIMED);
    long a = take(4 << 20);
    take(SLICE_BYTES);
    long b = take(4 << 20);
    take(SLICE_BYTES);
    spans.giveLargeAt(a);
    advance(0, 5);
    spans.giveLargeAt(b);
    advance(5, 10);
    spans.purgeDue();
    assertThat(isPurged(a)).isTrue();
    assertThat(isPurged(b)).isFalse();
    advance(10, 15);
    spans.purgeDue();
    assertThat(isPurged(b)).isTrue();
  }

  // ---- other policies

  @ParameterizedTest
  @EnumSource(PurgeMode.class)
  void withoutADelayNoClockIsRead(PurgeMode mode) {
    open(Purge.immediately().withMode(mode));
    long region = takeRegion();
    spans.giveLargeAt(region);
    spans.giveLargeAt(take(REGION));
    assertThat(spans.purgeDue()).isEqualTo(-1);
    assertThat(space.clock.reads()).isZero();
    assertThat(isPurged(region)).isEqualTo(mode == PurgeMode.DECOMMIT);
  }

  @Test
  void atOnceMeansBeforeTheFreeReturns() {
    open(Purge.immediately());
    long small = take(3 * SLICE_BYTES);
    take(SLICE_BYTES);
    long committed = committed();
    spans.giveLargeAt(small);
    assertThat(committed()).isEqualTo(committed - 3 * SLICE_BYTES);
    assertThat(spans.kept()).isNull();
    long other = take(REGION);
    spans.giveLargeAt(other);
    Span again = spans.takeLarge(REGION, 1);
    assertThat(again.address()).isEqualTo(other);
    assertThat(again.zero()).isTrue();
    assertThat(RawMemory.getByte(other)).isZero();
  }

  @Test
  void whatIsNeverPurgedIsStillCollected() {
    open(Purge.never());
    long region = takeRegion();
    spans.giveLargeAt(region);
    space.clock.advance(100 * D);
    assertThat(spans.purgeDue()).isEqualTo(-1);
    assertThat(isPurged(region)).isFalse();
    assertThat(spans.collect()).isGreaterThanOrEqualTo(REGION);
    assertThat(isPurged(region)).isTrue();
  }

  @Test
  void resetMemoryStaysCommittedAndIsCommittedAgainBeforeUse() {
    open(TIMED.withMode(PurgeMode.RESET));
    long region = takeRegion();
    spans.giveLargeAt(region);
    long committed = committed();
    advance(0, 10);
    assertThat(spans.purgeDue()).isEqualTo(-1);
    assertThat(space.memory.count(Call.RESET)).isEqualTo(1);
    assertThat(committed()).isEqualTo(committed);
    space.memory.refuseAll(EnumSet.of(Call.COMMIT));
    assertThatThrownBy(() -> spans.takeLarge(REGION, 1)).isInstanceOf(OutOfMemoryError.class);
    Invariants.check(spans);
    space.memory.allow();
    Span again = spans.takeLarge(REGION, 1);
    assertThat(again.address()).isEqualTo(region);
    assertThat(again.zero()).as("proven to be zero").isFalse();
    spans.giveLargeAt(region);
    advance(0, 10);
    spans.purgeDue();
    assertThat(spans.collect()).as("collected").isGreaterThanOrEqualTo(REGION);
    assertThat(isPurged(region)).isTrue();
  }

  // Remade-With-Rust/rusty_alloc, docs/plans/recommit-failure-ignored.md
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("B20: what was purged is committed again, whatever it was coalesced with")
  void aPurgedPartOfASpanIsCommittedAgain(boolean behind) {
    open(Purge.immediately());
    long a = take(5 * SLICE_BYTES);
    long b = take(5 * SLICE_BYTES);
    long c = take(5 * SLICE_BYTES);
    take(SLICE_BYTES);
    spans.giveLargeAt(b);
    assertThat(isPurged(b)).isTrue();
    space.memory.refuseAll(EnumSet.of(Call.DECOMMIT));
    spans.giveLargeAt(behind ? c : a);
    assertThat(isPurged(behind ? c : a)).isFalse();
    long first = behind ? b : a;
    long commits = space.memory.count(Call.COMMIT);
    Span both = spans.takeLarge(10 * SLICE_BYTES, 1);
    assertThat(both.address()).isEqualTo(first);
    assertThat(both.zero()).isFalse();
    assertThat(space.memory.count(Call.COMMIT)).isEqualTo(commits + 1);
    RawMemory.fill(first, 10 * SLICE_BYTES, (byte) 2);
    Invariants.check(spans);
  }

  @Test
  void policiesAreCheckedWhenTheyAreMade() {
    open(TIMED);
    assertThatThrownBy(() -> Purge.DEFAULT.withDelayNanos(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("purge delay -1 is not in 0 to 86400000000000 nanoseconds");
    assertThatThrownBy(() -> Purge.DEFAULT.withDelayNanos(Purge.LONGEST_DELAY_NANOS + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("86400000000001");
    assertThat(Purge.DEFAULT.withDelayNanos(Purge.LONGEST_DELAY_NANOS).isTimed()).isTrue();
  }
}
