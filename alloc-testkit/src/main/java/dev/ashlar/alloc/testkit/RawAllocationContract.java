// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@link RawAllocator} promises of the blocks it gives out. */
public interface RawAllocationContract extends ContractSubject {

  /** Every method that allocates gives a writable block of at least the size, aligned to 16. */
  @Test
  default void aBlockHoldsWhatWasAskedFor() {
    for (long size : Sizes.all()) {
      for (long block :
          new long[] {
            raw().malloc(size),
            raw().zalloc(size),
            raw().calloc(1, size),
            raw().calloc(size, 1),
            raw().alignedAlloc(size, 1),
            raw().alignedZalloc(size, 2),
            raw().realloc(0, size),
            raw().alignedRealloc(0, size, 4)
          }) {
        assertThat(block).isNotZero();
        assertThat(block % RawAllocator.MIN_ALIGNMENT).as("%#x modulo 16", block).isZero();
        assertThat(raw().usableSize(block)).isGreaterThanOrEqualTo(size);
        RawBytes.fill(block, size, (byte) 1);
        raw().free(block);
      }
    }
  }

  /** Every alignment up to the greatest is kept; the size need not be a multiple of it. */
  @Test
  default void aBlockIsAlignedAsAsked() {
    for (long alignment : Sizes.alignments()) {
      long most = Math.min(alignment, 1L << 20);
      for (long size : new long[] {0, 1, 24, most / 2, most, most + 1, 2 * most}) {
        for (long block :
            new long[] {
              raw().alignedAlloc(size, alignment),
              raw().alignedZalloc(size, alignment),
              raw().alignedRealloc(0, size, alignment)
            }) {
          assertThat(block).isNotZero();
          assertThat(block % alignment)
              .as("%#x of %d bytes modulo %d", block, size, alignment)
              .isZero();
          assertThat(raw().usableSize(block)).isGreaterThanOrEqualTo(size);
          raw().free(block);
        }
      }
    }
  }

  /** A zero size gives distinct blocks that are freed like any other. */
  @Test
  default void aZeroSizeBlockIsDistinctAndFreeable() {
    Set<Long> blocks = new HashSet<>();
    LiveCounters before = live();
    for (int i = 0; i < 100; i++) {
      for (long block :
          new long[] {
            raw().malloc(0),
            raw().zalloc(0),
            raw().calloc(0, 8),
            raw().calloc(8, 0),
            raw().calloc(0, Long.MAX_VALUE),
            raw().calloc(Long.MAX_VALUE, 0),
            raw().alignedAlloc(0, 256),
            raw().alignedZalloc(0, 256),
            raw().realloc(0, 0),
            raw().alignedRealloc(0, 0, 256),
            raw().realloc(raw().malloc(100), 0)
          }) {
        assertThat(block).isNotZero();
        assertThat(blocks.add(block)).as("distinct address").isTrue();
        assertThat(raw().owns(block)).isTrue();
      }
    }
    assertThat(live().blocks()).isEqualTo(before.blocks() + blocks.size());
    blocks.forEach(raw()::free);
  }

  /** {@code zalloc}, {@code calloc} and {@code alignedZalloc} give zeros on dirty memory. */
  @Test
  default void zeroedBlocksAreZeroOnReusedMemory() {
    for (long size : Sizes.all()) {
      List<Long> blocks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        long block = raw().malloc(size);
        RawBytes.fill(block, raw().usableSize(block), (byte) 0xFF);
        blocks.add(block);
      }
      blocks.forEach(raw()::free);
      blocks =
          List.of(
              raw().zalloc(size),
              raw().calloc(1, size),
              raw().calloc(size, 1),
              raw().alignedZalloc(size, 16));
      for (long block : blocks) {
        assertThat(RawBytes.firstOtherThan(block, size, (byte) 0))
            .as("first byte other than 0 of %d", size)
            .isEqualTo(-1);
      }
      blocks.forEach(raw()::free);
    }
  }

  /** {@code calloc} gives room for the whole product. */
  @Test
  default void anArrayHasRoomForEveryElement() {
    for (long count : new long[] {1, 3, 100, 4_097}) {
      for (long size : new long[] {1, 7, 24, 600}) {
        long block = raw().calloc(count, size);
        assertThat(raw().usableSize(block)).isGreaterThanOrEqualTo(count * size);
        assertThat(RawBytes.firstOtherThan(block, count * size, (byte) 0)).isEqualTo(-1);
        raw().free(block);
      }
    }
  }

  /** Address 0 is no block: freeing it does nothing, reallocating it allocates. */
  @Test
  default void addressZeroStandsForNoBlock() {
    LiveCounters before = live();
    raw().free(0);
    raw().free(0);
    assertThat(live()).isEqualTo(before);
    assertThat(raw().owns(0)).isFalse();
    long block = raw().realloc(0, 100);
    assertThat(live()).isEqualTo(before.plus(raw().usableSize(block)));
    raw().free(block);
    assertThat(live()).isEqualTo(before);
  }

  /** Both faces are over the same blocks: each frees, measures and knows the other's. */
  @Test
  default void bothFacesAreOverTheSameBlocks() {
    assertThat(allocator().raw()).isSameAs(allocator().raw());
    for (long size : Sizes.few()) {
      LiveCounters before = live();
      MemorySegment segment = allocator().allocate(size);
      assertThat(raw().owns(segment.address())).isTrue();
      assertThat(raw().usableSize(segment.address())).isEqualTo(allocator().usableSize(segment));
      raw().free(segment.address());

      long block = raw().malloc(size);
      MemorySegment view = MemorySegment.ofAddress(block);
      assertThat(allocator().owns(view)).isTrue();
      assertThat(allocator().usableSize(view)).isEqualTo(raw().usableSize(block));
      allocator().free(view);

      MemorySegment grown =
          allocator().reallocate(MemorySegment.ofAddress(raw().malloc(size)), size + 100);
      assertThat(grown.byteSize()).isEqualTo(size + 100);
      long shrunk = raw().realloc(grown.address(), size);
      raw().free(shrunk);
      assertThat(live()).isEqualTo(before);
    }
  }
}
