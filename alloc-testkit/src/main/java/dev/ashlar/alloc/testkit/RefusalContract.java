// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What becomes of arguments that make no sense and of sizes that no memory can hold: one outcome
 * each, and everything as it was before.
 */
public interface RefusalContract extends ContractSubject {

  /** A negative size is refused by every method that takes one. */
  @Test
  default void aNegativeSizeIsRefused() {
    MemorySegment block = allocator().allocate(40);
    for (long size : new long[] {-1, -16, -4_096, Long.MIN_VALUE + 1, Long.MIN_VALUE}) {
      assertRefused(
          size,
          block,
          List.of(
              () -> allocator().allocate(size),
              () -> allocator().allocate(size, 8),
              () -> allocator().allocateZeroed(size),
              () -> allocator().allocateZeroed(size, 8),
              () -> allocator().tryAllocate(size),
              () -> allocator().tryAllocate(size, 8),
              () -> allocator().reallocate(block, size),
              () -> allocator().reallocate(block, size, 8),
              () -> raw().malloc(size),
              () -> raw().zalloc(size),
              () -> raw().calloc(size, 1),
              () -> raw().calloc(1, size),
              () -> raw().calloc(0, size),
              () -> raw().calloc(size, 0),
              () -> raw().calloc(size, size),
              () -> raw().alignedAlloc(size, 8),
              () -> raw().alignedZalloc(size, 8),
              () -> raw().realloc(block.address(), size),
              () -> raw().realloc(0, size),
              () -> raw().alignedRealloc(block.address(), size, 8),
              () -> raw().alignedRealloc(0, size, 8),
              () -> raw().goodSize(size)));
    }
    allocator().free(block);
  }

  /** What is no positive power of two is refused as an alignment. */
  @Test
  default void anAlignmentThatIsNoPowerOfTwoIsRefused() {
    MemorySegment block = allocator().allocate(40);
    for (long alignment : Sizes.badAlignments()) {
      assertRefused(alignment, block, allocationsAlignedTo(alignment, block));
    }
    allocator().free(block);
  }

  /** A power of two above the greatest alignment is refused, and told what the greatest is. */
  @Test
  default void anAlignmentAboveTheGreatestIsRefused() {
    MemorySegment block = allocator().allocate(40);
    for (long alignment : new long[] {2 * RawAllocator.MAX_ALIGNMENT, 1L << 40, 1L << 62}) {
      List<ThrowingCallable> calls = allocationsAlignedTo(alignment, block);
      assertRefused(alignment, block, calls);
      for (ThrowingCallable call : calls) {
        assertThatThrownBy(call).hasMessageContaining(Long.toString(RawAllocator.MAX_ALIGNMENT));
      }
    }
    allocator().free(block);
  }

  /** Small alignments, which nothing needs, are accepted all the same. */
  @Test
  default void smallAlignmentsAreAccepted() {
    for (long alignment : new long[] {1, 2, 4, 8}) {
      allocator().free(allocator().allocate(5, alignment));
      raw().free(raw().alignedAlloc(5, alignment));
    }
  }

  /** A size that no memory can hold is out of memory, by every method that takes a size. */
  @Test
  default void anImpossibleSizeIsOutOfMemory() {
    MemorySegment block = allocator().allocate(40);
    for (long size : Sizes.impossible()) {
      assertExhausted(
          size,
          block,
          List.of(
              () -> allocator().allocate(size),
              () -> allocator().allocate(size, 64),
              () -> allocator().allocateZeroed(size),
              () -> allocator().allocateZeroed(size, 4_096),
              () -> allocator().reallocate(block, size),
              () -> allocator().reallocate(block, size, 64),
              () -> raw().malloc(size),
              () -> raw().zalloc(size),
              () -> raw().calloc(1, size),
              () -> raw().calloc(size, 1),
              () -> raw().alignedAlloc(size, 64),
              () -> raw().alignedAlloc(size, RawAllocator.MAX_ALIGNMENT),
              () -> raw().alignedZalloc(size, 64),
              () -> raw().realloc(block.address(), size),
              () -> raw().realloc(0, size),
              () -> raw().alignedRealloc(block.address(), size, 64),
              () -> raw().alignedRealloc(0, size, 64)));
      LiveCounters before = live();
      assertThat(allocator().tryAllocate(size)).isEmpty();
      assertThat(allocator().tryAllocate(size, 64)).isEmpty();
      assertThat(live()).isEqualTo(before);
    }
    allocator().free(block);
    raw().free(raw().malloc(64));
  }

  /** A count times a size that wraps is out of memory, never a small block. */
  @Test
  default void aProductThatWrapsIsOutOfMemory() {
    MemorySegment block = allocator().allocate(40);
    long[][] pairs = {
      {(1L << 62) + 1, 4},
      {1L << 33, 1L << 32},
      {3, Long.MAX_VALUE},
      {1L << 32, 1L << 32},
      {Long.MAX_VALUE, Long.MAX_VALUE},
      {1L << 31, 1L << 32}
    };
    for (long[] pair : pairs) {
      assertExhausted(
          Long.MAX_VALUE,
          block,
          List.of(() -> raw().calloc(pair[0], pair[1]), () -> raw().calloc(pair[1], pair[0])));
    }
    allocator().free(block);
  }

  /** What is refused because memory is out works again when there is some. */
  @Test
  default void memoryThatRanOutComesBack() {
    LiveCounters before = live();
    for (int round = 0; round < 3; round++) {
      assertThatThrownBy(() -> allocator().allocate(1L << 60))
          .isInstanceOf(NativeMemoryExhaustedError.class);
      for (long size : Sizes.few()) {
        MemorySegment segment = allocator().allocate(size);
        segment.fill((byte) 1);
        allocator().free(segment);
      }
    }
    assertThat(live()).isEqualTo(before);
  }

  private List<ThrowingCallable> allocationsAlignedTo(long alignment, MemorySegment block) {
    return List.of(
        () -> allocator().allocate(8, alignment),
        () -> allocator().allocate(0, alignment),
        () -> allocator().allocateZeroed(8, alignment),
        () -> allocator().tryAllocate(8, alignment),
        () -> allocator().reallocate(block, 8, alignment),
        () -> raw().alignedAlloc(8, alignment),
        () -> raw().alignedAlloc(0, alignment),
        () -> raw().alignedZalloc(8, alignment),
        () -> raw().alignedRealloc(block.address(), 8, alignment),
        () -> raw().alignedRealloc(0, 8, alignment));
  }

  private void assertRefused(long value, MemorySegment block, List<ThrowingCallable> calls) {
    Canary.FULL.paint(block.address(), block.byteSize(), value);
    LiveCounters before = live();
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i))
          .as("call %d with %d", i, value)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Long.toString(value));
      assertUnharmed(value, block, before);
    }
  }

  private void assertExhausted(long value, MemorySegment block, List<ThrowingCallable> calls) {
    Canary.FULL.paint(block.address(), block.byteSize(), value);
    LiveCounters before = live();
    for (int i = 0; i < calls.size(); i++) {
      NativeMemoryExhaustedError error =
          catchThrowableOfType(NativeMemoryExhaustedError.class, calls.get(i));
      assertThat(error).as("call %d with %d", i, value).isNotNull();
      // It may be rounded up to the block that would have been given.
      assertThat(error.requested()).as("requested in call %d", i).isGreaterThanOrEqualTo(value);
      assertThat(error.live()).isNotNegative();
      assertThat(error.limit()).isPositive();
      assertThat(error.level()).isNotBlank();
      assertThat(error)
          .hasMessageContaining(Long.toString(error.requested()))
          .hasMessageContaining(error.level())
          .hasMessageContaining(Long.toString(error.live()));
      assertUnharmed(value, block, before);
    }
  }

  private void assertUnharmed(long tag, MemorySegment block, LiveCounters before) {
    long size = block.byteSize();
    assertThat(live()).isEqualTo(before);
    assertThat(allocator().owns(block)).isTrue();
    assertThat(Canary.FULL.firstDamage(block.address(), size, size, tag)).isEqualTo(-1);
  }
}
