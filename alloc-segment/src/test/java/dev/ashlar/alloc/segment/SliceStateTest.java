// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static dev.ashlar.alloc.segment.Segment.SLICE_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.PurgeMode;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.testkit.FaultyMemory.Call;
import dev.ashlar.alloc.testkit.TestSeed;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs over spans, with refusals, against a record of what the operating system was
 * asked for: each slice's state must follow from it, and what is said to be zero must be.
 */
class SliceStateTest {

  private static final PageOwner OWNER = () -> null;
  private static final List<Call> CALLS = List.copyOf(EnumSet.allOf(Call.class));
  private static final long DELAY = 1_000;

  private final StateMemory states = new StateMemory();
  private final TestSpace space = new TestSpace(16, states);
  private final List<Block> blocks = new ArrayList<>();
  private SplittableRandom random;
  private SpanAllocator spans;

  /** A block with one byte of its own in each slice. */
  private record Block(Page page, long address, long slices, byte stamp) {}

  static Stream<Purge> policies() {
    Purge timed = Purge.DEFAULT.withDelayNanos(DELAY).withBackground(false);
    return Stream.of(
        timed,
        timed.withMode(PurgeMode.RESET),
        Purge.immediately(),
        Purge.immediately().withMode(PurgeMode.RESET),
        Purge.never());
  }

  @ParameterizedTest
  @MethodSource("policies")
  void eachSliceIsInTheStateThatTheSystemWasAskedFor(Purge policy) {
    long seed = TestSeed.choose("slice states, " + policy);
    random = new SplittableRandom(seed);
    spans = space.spans(new SegmentPool(random.nextInt(3)), policy);
    for (int i = 0; i < 12_000; i++) {
      if (random.nextInt(50) == 0) {
        Call call = CALLS.get(random.nextInt(CALLS.size()));
        space.memory.refuse(EnumSet.of(call), 1 + random.nextInt(3));
      }
      try {
        step(random.nextInt(100));
      } catch (OutOfMemoryError e) {
        assertThat(space.memory.refused()).as("calls refused for %s", e).isPositive();
      }
      if (i % 16 == 0) {
        space.memory.allow();
        Invariants.check(spans);
        compare();
      }
    }
    space.memory.allow();
    spans.close();
    assertThat(spans.stats().committedBytes()).isZero();
    space.close();
  }

  private void step(int what) {
    if (what < 15 && blocks.size() < 100) {
      Page page = spans.takePage(OWNER, 1 + random.nextInt(SizeClasses.LAST_MEDIUM));
      note(page, page.span());
    } else if (what < 45 && blocks.size() < 100) {
      note(null, spans.takeLarge((1 + random.nextLong(60)) * SLICE_BYTES, 1));
    } else if (what < 52 && !blocks.isEmpty()) {
      resize(random.nextInt(blocks.size()));
    } else if (what < 90 && !blocks.isEmpty()) {
      give(blocks.remove(random.nextInt(blocks.size())));
    } else if (what < 97) {
      space.clock.advance(random.nextLong(DELAY));
      spans.purgeDue();
    } else if (what == 99) {
      spans.collect();
    }
  }

  private void note(Page page, Span span) {
    if (span.zero()) {
      for (int i = 0; i < span.slices; i++) {
        long slice = span.address() + i * SLICE_BYTES;
        assertThat(RawMemory.getByte(slice)).as("first byte").isZero();
        assertThat(RawMemory.getLong(slice + SLICE_BYTES - 8)).as("last bytes").isZero();
      }
    }
    Block block = new Block(page, span.address(), span.slices, (byte) (1 + random.nextInt(100)));
    stamp(block, 0);
    blocks.add(block);
  }

  private static void stamp(Block block, long from) {
    for (long i = from; i < block.slices; i++) {
      RawMemory.putByte(block.address + i * SLICE_BYTES, block.stamp);
      RawMemory.putByte(block.address + (i + 1) * SLICE_BYTES - 1, block.stamp);
    }
  }

  private void resize(int index) {
    Block block = blocks.get(index);
    long slices = 1 + random.nextLong(80);
    if (block.page == null && spans.resizeLargeAt(block.address, slices * SLICE_BYTES)) {
      Block resized = new Block(null, block.address, slices, block.stamp);
      check(new Block(null, block.address, Math.min(slices, block.slices), block.stamp));
      stamp(resized, Math.min(slices, block.slices));
      blocks.set(index, resized);
    }
  }

  private void give(Block block) {
    check(block);
    if (block.page != null) {
      spans.givePage(block.page);
    } else {
      assertThat(spans.giveLargeAt(block.address)).isTrue();
    }
  }

  private static void check(Block block) {
    for (long i = 0; i < block.slices; i++) {
      long slice = block.address + i * SLICE_BYTES;
      if (RawMemory.getByte(slice) != block.stamp
          || RawMemory.getByte(slice + SLICE_BYTES - 1) != block.stamp) {
        throw new AssertionError("slice " + i + " of " + block + " was written to");
      }
    }
  }

  private void compare() {
    for (Segment segment = spans.firstSegment(); segment != null; segment = segment.next) {
      for (int i = 0; i < Segment.SLICES; i++) {
        long slice = segment.addressOf(i);
        StateMemory.Last last = states.last(slice);
        boolean agrees =
            switch (segment.states[i]) {
              // Others have had the address space before.
              case SliceState.RESERVED ->
                  last == StateMemory.Last.NOTHING || last == StateMemory.Last.DECOMMIT;
              case SliceState.ZERO ->
                  last == StateMemory.Last.COMMIT && RawMemory.getLong(slice) == 0;
              case SliceState.DIRTY -> last == StateMemory.Last.COMMIT;
              // A commit may have gone this far before it was refused further on.
              case SliceState.RESET ->
                  last == StateMemory.Last.RESET || last == StateMemory.Last.COMMIT;
              case SliceState.DECOMMITTED -> last == StateMemory.Last.DECOMMIT;
              default -> false;
            };
        assertThat(agrees).as("state %d after %s", segment.states[i], last).isTrue();
      }
    }
  }
}
