// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.prim.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** An arena that breaks a promise fails the tests of that promise. */
class BrokenArenasTest {

  /** An arena that does what another does; made to be wrong in one method. */
  private static class Wrapper implements Arena {

    final Arena real;

    Wrapper(Arena real) {
      this.real = real;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return real.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
      return real.scope();
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private static void assertCaught(Supplier<Arena> confined, String... tests) {
    assertThat(ContractRun.failuresOfConfinedArena(confined, tests))
        .containsExactlyInAnyOrder(tests);
  }

  private static void assertCaughtShared(Supplier<Arena> shared, String... tests) {
    assertThat(ContractRun.failuresOfSharedArena(shared, tests)).containsExactlyInAnyOrder(tests);
  }

  @Test
  void oneThatCanBeClosedTwice() {
    assertCaught(
        () ->
            new Wrapper(Arena.ofConfined()) {
              @Override
              public void close() {
                if (scope().isAlive()) {
                  super.close();
                }
              }
            },
        "aClosedArenaRefusesEveryCall",
        "anEmptyArenaCloses");
  }

  @Test
  void oneWhoseSegmentsSurviveIt() {
    assertCaught(
        () ->
            new Wrapper(Arena.ofConfined()) {
              @Override
              public MemorySegment allocate(long byteSize, long byteAlignment) {
                scope().isAlive();
                return Arena.ofAuto().allocate(byteSize, byteAlignment);
              }
            },
        "segmentsHaveTheScopeOfTheirArena",
        "noSegmentIsAccessibleAfterClose",
        "aClosedArenaRefusesEveryCall",
        "anotherThreadIsRefused");
  }

  @Test
  void oneWhoseSegmentsAreAsLongAsTheirAlignment() {
    assertCaughtShared(
        () ->
            new Wrapper(Arena.ofShared()) {
              @Override
              public MemorySegment allocate(long byteSize, long byteAlignment) {
                long padded = Math.max(byteSize, Math.min(byteAlignment, 64));
                return super.allocate(padded, byteAlignment);
              }
            },
        "aSegmentIsAlignedAsAsked",
        "zeroSizeSegmentsAreDistinct");
  }

  @Test
  void oneThatIsOpenToAnyThread() {
    assertCaught(
        () -> new Wrapper(Arena.ofShared()),
        "aSegmentIsAccessibleByItsOwnerOnly",
        "anotherThreadIsRefused");
  }

  @Test
  void oneThatIsConfined() {
    assertCaughtShared(
        () -> new Wrapper(Arena.ofConfined()),
        "anyThreadMayUseAndCloseIt",
        "manyThreadsGetDisjointSegments");
  }

  @Test
  void oneThatDoesNotZeroWhatItReuses() {
    Arena memory = Arena.ofShared();
    Deque<MemorySegment> reused = new ArrayDeque<>();
    assertCaught(
        () ->
            new Wrapper(Arena.ofConfined()) {
              private MemorySegment kept;

              @Override
              public MemorySegment allocate(long byteSize, long byteAlignment) {
                MemorySegment own = super.allocate(byteSize, byteAlignment);
                if (byteSize != 100 || byteAlignment != 1) {
                  return own;
                }
                kept = reused.isEmpty() ? memory.allocate(100) : reused.pop();
                return RawMemory.wrap(kept.address(), 100, real);
              }

              @Override
              public void close() {
                super.close();
                if (kept != null) {
                  reused.push(kept);
                }
              }
            },
        "segmentsAreZero");
    memory.close();
  }

  @Test
  void oneWhoseSegmentsOverlap() {
    assertCaughtShared(
        () ->
            new Wrapper(Arena.ofShared()) {
              private final MemorySegment space = real.allocate(1 << 20, 4_096);

              @Override
              public MemorySegment allocate(long byteSize, long byteAlignment) {
                MemorySegment own = super.allocate(byteSize, byteAlignment);
                return byteSize > 0 && byteSize < 100 && byteAlignment < 64
                    ? space.asSlice(0, byteSize)
                    : own;
              }
            },
        "segmentsAreDisjoint",
        "manyThreadsGetDisjointSegments");
  }
}
