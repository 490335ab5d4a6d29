// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What both faces promise of a block whose size is changed. */
public interface ReallocationContract extends ContractSubject {

  /** {@code realloc} keeps every byte up to the smaller of both sizes. */
  @Test
  default void resizingARawBlockKeepsItsBytes() {
    for (long from : Sizes.few()) {
      for (long to : Sizes.few()) {
        LiveCounters before = live();
        long block = raw().malloc(from);
        Canary.FULL.paint(block, from, from);
        long resized = raw().realloc(block, to);
        assertKept(resized, from, to);
        assertThat(raw().usableSize(resized)).isGreaterThanOrEqualTo(to);
        RawBytes.fill(resized, to, (byte) 1);
        assertThat(live()).isEqualTo(before.plus(raw().usableSize(resized)));
        raw().free(resized);
      }
    }
  }

  /** {@code alignedRealloc} keeps the bytes and gives the alignment, in place or not. */
  @Test
  default void resizingARawBlockAlignsIt() {
    for (long alignment : new long[] {1, 64, 256, 4_096, 65_536, 1L << 20, 1L << 25}) {
      for (long from : new long[] {0, 1, 100, 1_024, 5_000, 50_000, 300_000, 1L << 20}) {
        for (long to : new long[] {0, from / 2, from, from + 1, 2 * from + 300}) {
          long block = raw().malloc(from);
          Canary.FULL.paint(block, from, from);
          long resized = raw().alignedRealloc(block, to, alignment);
          assertThat(resized % alignment)
              .as("%#x modulo %d, from %d to %d bytes", resized, alignment, from, to)
              .isZero();
          assertKept(resized, from, to);
          raw().free(resized);
        }
      }
    }
  }

  /** {@code reallocate} gives the exact size and keeps the bytes up to the smaller of both. */
  @Test
  default void resizingASegmentKeepsItsBytes() {
    for (long from : Sizes.few()) {
      for (long to : Sizes.few()) {
        LiveCounters before = live();
        MemorySegment block = allocator().allocate(from);
        Canary.FULL.paint(block.address(), from, from);
        MemorySegment resized = allocator().reallocate(block, to);
        assertThat(resized.byteSize()).isEqualTo(to);
        assertThat(resized.address() % RawAllocator.MIN_ALIGNMENT).isZero();
        assertKept(resized.address(), from, to);
        resized.fill((byte) 1);
        assertThat(live()).isEqualTo(before.plus(allocator().usableSize(resized)));
        allocator().free(resized);
      }
    }
  }

  /** {@code reallocate} with an alignment keeps the bytes and gives the alignment. */
  @Test
  default void resizingASegmentAlignsIt() {
    for (long alignment : new long[] {1, 64, 256, 4_096, 65_536, 1L << 20, 1L << 25}) {
      for (long from : new long[] {0, 1, 100, 1_024, 5_000, 50_000, 300_000, 1L << 20}) {
        for (long to : new long[] {0, from / 2, from, from + 1, 2 * from + 300}) {
          MemorySegment block = allocator().allocate(from, 16);
          Canary.FULL.paint(block.address(), from, from);
          MemorySegment resized = allocator().reallocate(block, to, alignment);
          assertThat(resized.byteSize()).isEqualTo(to);
          assertThat(resized.address() % alignment)
              .as("%#x modulo %d, from %d to %d bytes", resized.address(), alignment, from, to)
              .isZero();
          assertKept(resized.address(), from, to);
          allocator().free(resized);
        }
      }
    }
  }

  /** A block that grows past its whole usable size keeps all of it. */
  @Test
  default void growingPastTheUsableSizeKeepsAllOfIt() {
    for (long size : Sizes.all()) {
      long block = raw().malloc(size);
      long usable = raw().usableSize(block);
      Canary.FULL.paint(block, usable, size);
      long grown = raw().realloc(block, usable + 1);
      assertThat(raw().usableSize(grown)).isGreaterThan(usable);
      assertThat(Canary.FULL.firstDamage(grown, usable, usable, size))
          .as("first lost byte of %d", usable)
          .isEqualTo(-1);
      raw().free(grown);
    }
  }

  /** Resizing to zero does not free: it gives a block of its own. */
  @Test
  default void resizingToZeroGivesABlock() {
    LiveCounters before = live();
    for (long size : Sizes.few()) {
      long block = raw().realloc(raw().malloc(size), 0);
      assertThat(block).isNotZero();
      assertThat(raw().owns(block)).isTrue();
      assertThat(live()).isEqualTo(before.plus(raw().usableSize(block)));
      long aligned = raw().alignedRealloc(block, 0, 128);
      assertThat(aligned % 128).isZero();
      assertThat(live().blocks()).isEqualTo(before.blocks() + 1);
      raw().free(aligned);
    }
  }

  /** A block that is resized is still one block, wherever it is then. */
  @Test
  default void aResizedBlockIsOneBlock() {
    for (long from : Sizes.few()) {
      for (long to : Sizes.few()) {
        long block = raw().malloc(from);
        long blocks = live().blocks();
        long resized = raw().realloc(block, to);
        assertThat(raw().owns(resized)).isTrue();
        assertThat(live().blocks()).isEqualTo(blocks);
        raw().free(resized);
      }
    }
  }

  /** A block allocated with a great alignment is resized like any other. */
  @Test
  default void anAlignedBlockIsResizedLikeAnyOther() {
    for (long alignment : new long[] {32, 64, 4_096, 65_536, 1L << 21}) {
      for (long size : new long[] {1, 33, 100, 5_000, 70_000, 600_000}) {
        long block = raw().alignedAlloc(size, alignment);
        long usable = raw().usableSize(block);
        Canary.FULL.paint(block, usable, size);
        long grown = raw().realloc(block, 2 * usable + 1);
        assertThat(Canary.FULL.firstDamage(grown, usable, usable, size)).isEqualTo(-1);
        long shrunk = raw().alignedRealloc(grown, size, alignment);
        assertThat(shrunk % alignment).isZero();
        assertThat(Canary.FULL.firstDamage(shrunk, size, usable, size)).isEqualTo(-1);
        raw().free(shrunk);
      }
    }
  }

  private static void assertKept(long address, long from, long to) {
    assertThat(Canary.FULL.firstDamage(address, Math.min(from, to), from, from))
        .as("first lost byte, from %d to %d bytes", from, to)
        .isEqualTo(-1);
  }
}
