// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.MemoryMisuseException.Kind;
import dev.ashlar.alloc.prim.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** An allocator that breaks a promise fails the tests of that promise. */
class BrokenAllocatorsTest {

  private static void assertCaught(Supplier<Allocator> broken, String... tests) {
    assertThat(ContractRun.failuresOfAllocator(broken, tests)).containsExactlyInAnyOrder(tests);
  }

  @Test
  void oneThatForgetsGreatAlignments() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected long align(long address, long alignment) {
                return super.align(address, Math.min(alignment, 4_096));
              }
            },
        "aSegmentIsAlignedAsAsked",
        "aBlockIsAlignedAsAsked",
        "resizingASegmentAlignsIt",
        "resizingARawBlockAlignsIt");
  }

  @Test
  void oneThatTakesTheOneBitOfLongMinValueForAnAlignment() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected boolean isAlignment(long alignment) {
                return Long.bitCount(alignment) == 1;
              }

              @Override
              protected long align(long address, long alignment) {
                return super.align(address, Math.max(alignment, 1));
              }
            },
        "anAlignmentThatIsNoPowerOfTwoIsRefused");
  }

  @Test
  void oneWhoseBlocksOverlapAtTheirEnds() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected long extent(long usable) {
                return usable > 4_096 ? usable - 16 : usable;
              }
            },
        "liveSegmentsAreDisjoint",
        "theWholeUsableSizeIsTheBlocksOwn");
  }

  @Test
  void oneWhoseGreatlyAlignedBlocksOverlap() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected long extent(long usable) {
                return usable > 100_000 ? usable & -65_536L : usable;
              }
            },
        "liveAlignedSegmentsAreDisjoint");
  }

  @Test
  void oneThatForgetsToZero() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected void zero(long address, long size) {}
            },
        "zeroedSegmentsAreZeroOnReusedMemory",
        "zeroedSegmentsAreZeroWhenTheirMemoryChangesSize",
        "zeroedBlocksAreZeroOnReusedMemory");
  }

  @Test
  void oneThatForgetsToZeroTheLastBytes() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected void zero(long address, long size) {
                super.zero(address, size & -8);
              }
            },
        "zeroedSegmentsAreZeroOnReusedMemory",
        "zeroedBlocksAreZeroOnReusedMemory");
  }

  @Test
  void oneThatCopiesTooLittle() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected void copy(long from, long to, long bytes) {
                RawMemory.copy(from, to, bytes & -32);
              }
            },
        "resizingARawBlockKeepsItsBytes",
        "resizingASegmentKeepsItsBytes",
        "growingPastTheUsableSizeKeepsAllOfIt");
  }

  @Test
  void oneThatForgetsToCountFrees() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected void count(long usable, int blocks) {
                super.count(usable, usable > 1L << 20 ? Math.max(blocks, 0) : blocks);
              }
            },
        "theLiveCountersAreExact",
        "closedArenasLeaveTheLiveCountersAsTheyWere",
        "aSegmentHasExactlyTheRequestedSize");
  }

  @Test
  void oneThatCountsRequestsThatFail() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              synchronized long take(long size, long alignment, boolean zeroed, boolean inArena) {
                count(16, 1);
                long address = super.take(size, alignment, zeroed, inArena);
                count(16, -1);
                return address;
              }
            },
        "anImpossibleSizeIsOutOfMemory",
        "aNegativeSizeIsRefused",
        "anAlignmentAboveTheGreatestIsRefused");
  }

  @Test
  void oneWhoseSegmentsAreLongerThanAsked() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              public MemorySegment allocate(long byteSize, long byteAlignment) {
                MemorySegment exact = super.allocate(byteSize, byteAlignment);
                return RawMemory.wrap(exact.address(), goodSize(byteSize), scope);
              }
            },
        "aSegmentHasExactlyTheRequestedSize");
  }

  @Test
  void oneThatGivesOneBlockForEveryZeroSize() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              private final long empty = super.malloc(0);

              @Override
              public long malloc(long size) {
                return size == 0 ? empty : super.malloc(size);
              }
            },
        "aZeroSizeBlockIsDistinctAndFreeable");
  }

  @Test
  void oneThatFreesWhatIsResizedToZero() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              public long realloc(long address, long newSize) {
                if (address != 0 && newSize == 0) {
                  free(address);
                  return 0;
                }
                return super.realloc(address, newSize);
              }
            },
        "resizingToZeroGivesABlock");
  }

  @Test
  void oneWhoseProductsWrap() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              public long calloc(long count, long size) {
                return zalloc(count * size);
              }
            },
        "aProductThatWrapsIsOutOfMemory");
  }

  @Test
  void oneThatThrowsWhereItShouldSayEmpty() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              public Optional<MemorySegment> tryAllocate(long byteSize, long byteAlignment) {
                return Optional.of(allocate(byteSize, byteAlignment));
              }
            },
        "anImpossibleSizeIsOutOfMemory");
  }

  @Test
  void oneThatFreesTwiceInSilence() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              public synchronized void free(long address) {
                if (owns(address)) {
                  super.free(address);
                }
              }
            },
        "aSecondFreeIsRefused",
        "theInsideOfALiveBlockIsRefused",
        "numbersThatAreNoAddressAreRefused",
        "memoryOfAnArenaIsRefused");
  }

  @Test
  void oneThatCallsEveryWrongAddressForeign() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected MemoryMisuseException misuse(long address) {
                return new MemoryMisuseException(Kind.FOREIGN, address, "");
              }
            },
        "aSecondFreeIsRefused",
        "theInsideOfALiveBlockIsRefused");
  }

  @Test
  void oneThatClosesUnderItsArenas() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              public synchronized void close() {
                openArenas = 0;
                super.close();
              }
            },
        "anEmptyArenaKeepsItsAllocatorOpen");
  }

  @Test
  void oneWhoseSegmentsSurviveIt() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              public MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
                MemorySegment scoped = super.allocateZeroed(byteSize, byteAlignment);
                return RawMemory.wrap(scoped.address(), byteSize, Arena.global());
              }
            },
        "closingMakesEverySegmentInaccessible");
  }

  @Test
  void oneThatIgnoresFreesByOtherThreads() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              private final Thread owner = Thread.currentThread();

              @Override
              public synchronized void free(long address) {
                if (Thread.currentThread() == owner) {
                  super.free(address);
                }
              }
            },
        "anyThreadMayUseAndFreeAnyBlock",
        "manyThreadsGetDisjointBlocks",
        "blocksMayBePassedRound",
        "virtualThreadsShareTheAllocator");
  }

  @Test
  void oneThatNeverUsesMemoryAgain() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              synchronized void give(long address) {
                count(live.remove(address).usable(), -1);
              }
            },
        "threadsComeAndGo");
  }
}
