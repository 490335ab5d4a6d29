// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.heap.AllocatorInvariants;
import dev.ashlar.alloc.heap.AllocatorOptions;
import dev.ashlar.alloc.heap.HeapAllocator;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.testkit.FaultyMemory;
import dev.ashlar.alloc.testkit.LiveCounters;
import dev.ashlar.alloc.testkit.RawBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Faults that people reported in other allocators, tried on this one: blocks and their sizes. */
class ReportedFaultsTest {

  private static final long MIB = 1L << 20;

  private final FaultyMemory memory = new FaultyMemory(VirtualMemory.system());
  private final Allocator allocator =
      HeapAllocator.open(AllocatorOptions.defaults().withMemory(memory));
  private final RawAllocator raw = allocator.raw();

  @AfterEach
  void everythingIsFreeAndSound() {
    AllocatorInvariants.check(allocator);
    assertThat(LiveCounters.of(allocator)).isEqualTo(new LiveCounters(0, 0));
    allocator.close();
  }

  // https://github.com/microsoft/mimalloc/issues/1138
  @Test
  @DisplayName("B01: an absurdly large request is out of memory and reaches no operating system")
  void anAbsurdRequestIsOutOfMemory() {
    raw.free(raw.malloc(64));
    int calls = memory.made().size();
    for (ThrowingCallable request :
        List.<ThrowingCallable>of(
            () -> raw.malloc(Long.MAX_VALUE),
            () -> raw.alignedAlloc(Long.MAX_VALUE, 64),
            () -> raw.alignedAlloc(Long.MAX_VALUE - 63, 64),
            () -> raw.malloc(Long.MAX_VALUE / 2 + 1),
            () -> allocator.allocate(Long.MAX_VALUE - 63, 64),
            () -> allocator.allocateZeroed(Long.MAX_VALUE),
            () -> raw.realloc(0, Long.MAX_VALUE - 15))) {
      LiveCounters before = LiveCounters.of(allocator);
      assertThatThrownBy(request).isInstanceOf(NativeMemoryExhaustedError.class);
      assertThat(LiveCounters.of(allocator)).isEqualTo(before);
    }
    assertThat(memory.made()).hasSize(calls);
    long block = raw.malloc(64);
    assertThat(block).isNotZero();
    raw.free(block);
  }

  // https://github.com/managarm/mlibc/issues/790 , https://github.com/ned14/nedmalloc/pull/6 ,
  // https://github.com/vivoblueos/kernel/pull/483
  @Test
  @DisplayName("B02: a count times a size that wraps gives no small block")
  void aProductThatWrapsGivesNoBlock() {
    long[][] wrapping = {{(1L << 62) + 1, 4}, {1L << 33, 1L << 32}, {3, Long.MAX_VALUE}};
    for (long[] pair : wrapping) {
      assertThatThrownBy(() -> raw.calloc(pair[0], pair[1]))
          .isInstanceOf(NativeMemoryExhaustedError.class);
      assertThatThrownBy(() -> raw.calloc(pair[1], pair[0]))
          .isInstanceOf(NativeMemoryExhaustedError.class);
    }
    long first = raw.calloc(0, Long.MAX_VALUE);
    long second = raw.calloc(Long.MAX_VALUE, 0);
    assertThat(first).isNotZero().isNotEqualTo(second);
    assertThat(second).isNotZero();
    assertThat(raw.usableSize(first)).isEqualTo(raw.goodSize(0));
    raw.free(first);
    raw.free(second);
  }

  // https://github.com/microsoft/mimalloc/issues/622 ,
  // https://github.com/microsoft/mimalloc/issues/574 ,
  // https://github.com/jemalloc/jemalloc/issues/1629
  @Test
  @DisplayName("B03: resizing to zero gives a block and never looks like a failure")
  void resizingToZeroGivesABlock() {
    raw.free(raw.malloc(32));
    long reserved = allocator.stats().reservedBytes();
    for (int i = 0; i < 1_000_000; i++) {
      long fresh = raw.realloc(0, 0);
      long shrunk = raw.realloc(raw.malloc(32), 0);
      if (fresh == 0 || shrunk == 0 || fresh == shrunk) {
        throw new AssertionError("round " + i + ": " + fresh + " and " + shrunk);
      }
      raw.free(fresh);
      raw.free(shrunk);
    }
    assertThat(allocator.stats().reservedBytes()).isEqualTo(reserved);
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  // https://github.com/microsoft/mimalloc/issues/700 ,
  // https://github.com/microsoft/mimalloc/issues/602 ,
  // https://github.com/microsoft/mimalloc/issues/206
  @Test
  @DisplayName("B07: small blocks are aligned as asked, on an empty heap and on a warm one")
  void alignmentHoldsOnEmptyAndWarmHeaps() {
    for (long alignment = 8; alignment <= MIB; alignment *= 2) {
      for (long size : new long[] {1, alignment / 2, alignment, alignment + 1, 2 * alignment}) {
        try (Allocator fresh = Ashlar.builder().name("fresh").build()) {
          takeAlignedTwice(fresh.raw(), size, alignment);
          assertThat(fresh.stats().liveBlocks()).isZero();
        }
      }
    }
  }

  /** Takes 64 blocks, frees every other one, takes those anew, and frees all. */
  private static void takeAlignedTwice(RawAllocator raw, long size, long alignment) {
    NavigableMap<Long, Long> live = new TreeMap<>();
    long[] blocks = new long[64];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = takeAligned(raw, size, alignment, live);
    }
    for (int i = 0; i < blocks.length; i += 2) {
      live.remove(blocks[i]);
      raw.free(blocks[i]);
    }
    for (int i = 0; i < blocks.length; i += 2) {
      blocks[i] = takeAligned(raw, size, alignment, live);
    }
    for (long block : blocks) {
      raw.free(block);
    }
  }

  private static long takeAligned(
      RawAllocator raw, long size, long alignment, NavigableMap<Long, Long> live) {
    long block = raw.alignedAlloc(size, alignment);
    long usable = raw.usableSize(block);
    assertThat(block % alignment).as("%#x modulo %d", block, alignment).isZero();
    assertThat(usable).isGreaterThanOrEqualTo(size);
    var before = live.lowerEntry(block + usable);
    assertThat(before == null || before.getKey() + before.getValue() <= block)
        .as("%d bytes aligned to %d at %#x beside %s", size, alignment, block, before)
        .isTrue();
    live.put(block, usable);
    return block;
  }

  // https://github.com/microsoft/mimalloc/pull/56 ,
  // https://github.com/microsoft/mimalloc/issues/27 ,
  // https://github.com/microsoft/snmalloc/issues/668
  @Test
  @DisplayName("B08: what is no power of two is no alignment, and every small power of two is one")
  void onlyPowersOfTwoAreAlignments() {
    for (long bad : new long[] {0, 3, 6, 24, 48, 96, -1, -16, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> raw.alignedAlloc(64, bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Long.toString(bad));
      assertThatThrownBy(() -> allocator.allocate(64, bad))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(LiveCounters.of(allocator)).isEqualTo(new LiveCounters(0, 0));
    }
    for (long good : new long[] {1, 2, 4, 8}) {
      raw.free(raw.alignedAlloc(64, good));
    }
  }

  // https://github.com/microsoft/mimalloc/issues/603 ,
  // https://github.com/jemalloc/jemalloc/pull/1900
  @Test
  @DisplayName("B09: an aligned resize aligns, in place or not, and keeps the bytes")
  void anAlignedResizeAligns() {
    for (long newSize : new long[] {41, 4_000}) {
      long block = misalignedBlock();
      fill(block, 40, 5);
      long resized = raw.alignedRealloc(block, newSize, 64);
      assertResized(resized, 64, newSize, 40, 5);
      raw.free(resized);
    }
    long block = raw.alignedAlloc(7, 64);
    fill(block, 7, 9);
    long resized = raw.alignedRealloc(block, 57, 128);
    assertResized(resized, 128, 57, 7, 9);
    raw.free(resized);
  }

  private void assertResized(long block, long alignment, long size, long kept, int tag) {
    assertThat(block % alignment).isZero();
    assertThat(raw.usableSize(block)).isGreaterThanOrEqualTo(size);
    assertThat(RawBytes.firstOtherThan(block, kept, (byte) tag)).isEqualTo(-1);
  }

  private long misalignedBlock() {
    List<Long> aligned = new ArrayList<>();
    while (true) {
      long block = raw.malloc(40);
      if (block % 64 != 0) {
        aligned.forEach(raw::free);
        return block;
      }
      aligned.add(block);
    }
  }

  // https://github.com/mjansson/rpmalloc/issues/64 , https://github.com/mjansson/rpmalloc/pull/65 ,
  // https://github.com/microsoft/mimalloc/issues/231
  @Test
  @DisplayName("B10: the usable size of an over-aligned block is its own from its first byte on")
  void theUsableSizeOfAnAlignedBlockIsItsOwn() {
    long[][] kinds = {{1, 64}, {33, 32}, {100, 4_096}, {5_000, 256}};
    long[] blocks = new long[1_000];
    for (int i = 0; i < blocks.length; i++) {
      long[] kind = kinds[i % kinds.length];
      blocks[i] = raw.alignedAlloc(kind[0], kind[1]);
      assertThat(raw.usableSize(blocks[i])).isGreaterThanOrEqualTo(kind[0]);
      fill(blocks[i], raw.usableSize(blocks[i]), i);
    }
    for (int i = 0; i < blocks.length; i++) {
      long usable = raw.usableSize(blocks[i]);
      assertThat(RawBytes.firstOtherThan(blocks[i], usable, (byte) i)).isEqualTo(-1);
      long grown = raw.realloc(blocks[i], usable + 1);
      assertThat(RawBytes.firstOtherThan(grown, usable, (byte) i)).isEqualTo(-1);
      raw.free(grown);
    }
  }

  // https://github.com/microsoft/mimalloc/issues/1400
  @Test
  @DisplayName("mimalloc 1400: tiny blocks of great alignment are freed like any other")
  void tinyBlocksOfGreatAlignmentAreFreed() {
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long block = raw.alignedAlloc(8, 16 << 10);
      assertThat(block % (16 << 10)).isZero();
      RawBytes.putLong(block, block);
      blocks.add(block);
    }
    for (long block : blocks) {
      assertThat(RawBytes.getLong(block)).isEqualTo(block);
      raw.free(block);
    }
  }

  // https://github.com/microsoft/mimalloc/issues/587
  @Test
  @DisplayName("mimalloc 587: blocks of every size are owned, a little short of a segment included")
  void blocksOfEverySizeAreOwned() {
    for (long size : new long[] {1, 100_000, 33_554_426, 33_554_432, 40_000_000, 200_000_000}) {
      for (long alignment : new long[] {1, 64, 4_096, 2 * MIB}) {
        MemorySegment block = allocator.allocate(size, alignment);
        assertThat(allocator.owns(block)).isTrue();
        assertThat(raw.owns(block.address())).isTrue();
        allocator.free(block);
      }
    }
  }

  // https://github.com/microsoft/mimalloc/issues/153
  @Test
  @DisplayName("mimalloc 153: growing by a little at a time moves the block a few times only")
  void growingByALittleMovesAFewTimes() {
    long block = raw.malloc(8);
    int moves = 0;
    for (long longs = 1; longs <= 300_000; longs++) {
      long grown = raw.realloc(block, longs * 8);
      moves += grown == block ? 0 : 1;
      block = grown;
      RawBytes.putLong(block + longs * 8 - 8, longs);
    }
    for (long longs = 1; longs <= 300_000; longs++) {
      if (RawBytes.getLong(block + longs * 8 - 8) != longs) {
        throw new AssertionError("the value at " + longs + " was lost");
      }
    }
    raw.free(block);
    // Each size class an eighth above the one before: a hundred steps from 8 bytes to 2.4 MB.
    assertThat(moves).isLessThanOrEqualTo(130);
  }

  // https://github.com/aeron-io/agrona/issues/263 ,
  // https://github.com/datastax/cassandra/pull/2629
  @Test
  @DisplayName("agrona 263: an aligned segment, or a slice of it, frees and un-counts its block")
  void aNarrowedSegmentFreesItsWholeBlock() {
    SplittableRandom random = new SplittableRandom(263);
    for (int i = 0; i < 1_000; i++) {
      long size = 1L + random.nextInt(i % 100 == 0 ? 2_000_000 : 5_000);
      MemorySegment block = allocator.allocate(size, 1L << random.nextInt(13));
      assertThat(block.byteSize()).isEqualTo(size);
      allocator.free(block.asSlice(0, random.nextLong(size)));
      assertThat(allocator.stats().liveBytes()).isZero();
    }
  }

  private static void fill(long block, long bytes, int tag) {
    RawBytes.fill(block, bytes, (byte) tag);
  }
}
