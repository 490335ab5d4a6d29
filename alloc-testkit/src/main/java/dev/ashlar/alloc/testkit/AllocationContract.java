// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@link Allocator} promises of the segments it gives out. */
public interface AllocationContract extends ContractSubject {

  /** A segment has exactly the requested size and is accessible to its last byte, no further. */
  @Test
  default void aSegmentHasExactlyTheRequestedSize() {
    for (long size : Sizes.all()) {
      MemorySegment segment = allocator().allocate(size);
      assertThat(segment.byteSize()).isEqualTo(size);
      assertThat(segment.isNative()).isTrue();
      assertThat(segment.isReadOnly()).isFalse();
      if (size > 0) {
        segment.set(JAVA_BYTE, 0, (byte) 1);
        segment.set(JAVA_BYTE, size - 1, (byte) 2);
      }
      assertThatThrownBy(() -> segment.get(JAVA_BYTE, size))
          .isInstanceOf(IndexOutOfBoundsException.class);
      allocator().free(segment);
    }
  }

  /** A segment is aligned to 16 bytes, also when less is asked for. */
  @Test
  default void aSegmentIsAlignedTo16Bytes() {
    for (long size : Sizes.all()) {
      for (MemorySegment segment :
          List.of(
              allocator().allocate(size),
              allocator().allocate(size, 1),
              allocator().allocateZeroed(size),
              allocator().allocateZeroed(size, 2),
              allocator().tryAllocate(size).orElseThrow(),
              allocator().tryAllocate(size, 4).orElseThrow())) {
        assertThat(segment.byteSize()).isEqualTo(size);
        assertAligned(segment.address(), RawAllocator.MIN_ALIGNMENT, size);
        allocator().free(segment);
      }
    }
  }

  /** Every alignment up to the greatest is kept by every method that takes one, at any size. */
  @Test
  default void aSegmentIsAlignedAsAsked() {
    for (long alignment : Sizes.alignments()) {
      long most = Math.min(alignment, 1L << 20);
      for (long size : new long[] {0, 1, most / 2, most, most + 1, 2 * most}) {
        MemorySegment plain = allocator().allocate(size, alignment);
        MemorySegment zeroed = allocator().allocateZeroed(size, alignment);
        MemorySegment tried = allocator().tryAllocate(size, alignment).orElseThrow();
        for (MemorySegment segment : List.of(plain, zeroed, tried)) {
          assertThat(segment.byteSize()).isEqualTo(size);
          assertAligned(segment.address(), alignment, size);
          allocator().free(segment);
        }
      }
    }
  }

  /** The greatest alignment is accepted, also for a block of more than a segment. */
  @Test
  default void theGreatestAlignmentIsAccepted() {
    for (long size : Sizes.few()) {
      MemorySegment segment = allocator().allocate(size, RawAllocator.MAX_ALIGNMENT);
      assertThat(segment.byteSize()).isEqualTo(size);
      assertAligned(segment.address(), RawAllocator.MAX_ALIGNMENT, size);
      segment.fill((byte) 1);
      allocator().free(segment);
    }
  }

  /** Live segments are disjoint: what is written to one never shows in another. */
  @Test
  default void liveSegmentsAreDisjoint() {
    record Tagged(MemorySegment segment, byte tag) {}
    List<Tagged> live = new ArrayList<>();
    byte tag = 0;
    for (int round = 0; round < 3; round++) {
      for (long size : Sizes.all()) {
        MemorySegment segment = allocator().allocate(size, 1L << (size % 9));
        segment.fill(++tag);
        live.add(new Tagged(segment, tag));
      }
      // Freeing every third makes room of every size for the next round.
      for (int i = live.size() - 1; i >= 0; i -= 3) {
        Tagged freed = live.remove(i);
        assertFilled(freed.segment(), freed.tag());
        allocator().free(freed.segment());
      }
    }
    live.sort((a, b) -> Long.compare(a.segment().address(), b.segment().address()));
    long end = 0;
    for (Tagged next : live) {
      assertThat(next.segment().address()).isGreaterThanOrEqualTo(end);
      end = next.segment().address() + Math.max(next.segment().byteSize(), 1);
      assertFilled(next.segment(), next.tag());
    }
    live.forEach(next -> allocator().free(next.segment()));
  }

  /**
   * Segments of great alignments are disjoint too, over the whole size that they may be used for.
   */
  @Test
  default void liveAlignedSegmentsAreDisjoint() {
    for (long alignment = 16; alignment <= 4L << 20; alignment *= 2) {
      List<MemorySegment> live = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        for (long size :
            new long[] {0, 1, alignment / 2, alignment, alignment + 16, alignment * 5 / 2}) {
          live.add(allocator().allocate(size, alignment));
        }
      }
      for (MemorySegment segment : live) {
        Canary.SPARSE.paint(segment.address(), allocator().usableSize(segment), segment.address());
      }
      for (MemorySegment segment : live) {
        long usable = allocator().usableSize(segment);
        assertThat(Canary.SPARSE.firstDamage(segment.address(), usable, usable, segment.address()))
            .as("first damage of %d bytes aligned to %d", segment.byteSize(), alignment)
            .isEqualTo(-1);
        allocator().free(segment);
      }
    }
  }

  /** A zero-size segment is distinct, non-null, freeable and of zero length. */
  @Test
  default void aZeroSizeSegmentIsDistinctAndFreeable() {
    Set<Long> addresses = new HashSet<>();
    List<MemorySegment> segments = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      segments.add(allocator().allocate(0));
      segments.add(allocator().allocate(0, 64));
      segments.add(allocator().allocateZeroed(0));
      segments.add(allocator().tryAllocate(0).orElseThrow());
      segments.add(allocator().reallocate(allocator().allocate(10), 0));
    }
    for (MemorySegment segment : segments) {
      assertThat(segment.byteSize()).isZero();
      assertThat(segment.address()).isNotZero();
      assertThat(addresses.add(segment.address())).as("distinct address").isTrue();
      assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(allocator().owns(segment)).isTrue();
    }
    segments.forEach(allocator()::free);
  }

  /** {@code allocateZeroed} gives zeros also where dirty blocks were freed just before. */
  @Test
  default void zeroedSegmentsAreZeroOnReusedMemory() {
    for (long size : Sizes.all()) {
      for (long alignment : new long[] {1, 64, 8_192}) {
        List<MemorySegment> dirty = new ArrayList<>();
        for (int i = 0; i < (size < 100_000 ? 20 : 2); i++) {
          MemorySegment segment = allocator().allocate(size, alignment);
          segment.fill((byte) 0xFF);
          dirty.add(segment);
        }
        dirty.forEach(allocator()::free);
        for (int i = 0; i < dirty.size(); i++) {
          dirty.set(i, allocator().allocateZeroed(size, alignment));
        }
        for (MemorySegment segment : dirty) {
          assertFilled(segment, (byte) 0);
          segment.fill((byte) 0xFF);
        }
        dirty.forEach(allocator()::free);
      }
    }
  }

  /** Memory of one kind of block is zeroed also when it comes back as another kind. */
  @Test
  default void zeroedSegmentsAreZeroWhenTheirMemoryChangesSize() {
    long[] sizes = Sizes.few();
    for (long dirtySize : sizes) {
      for (long size : sizes) {
        MemorySegment dirty = allocator().allocate(dirtySize);
        dirty.fill((byte) 0xFF);
        allocator().free(dirty);
        MemorySegment segment = allocator().allocateZeroed(size);
        assertFilled(segment, (byte) 0);
        segment.fill((byte) 0xFF);
        allocator().free(segment);
      }
    }
  }

  /** The methods that the JDK derives from {@code allocate} work on it. */
  @Test
  default void theMethodsOfSegmentAllocatorWork() {
    MemorySegment text = allocator().allocateFrom("grüße");
    assertThat(text.getString(0)).isEqualTo("grüße");
    MemorySegment ints = allocator().allocateFrom(JAVA_INT, 1, 2, 3);
    assertThat(ints.toArray(JAVA_INT)).containsExactly(1, 2, 3);
    MemorySegment number = allocator().allocateFrom(JAVA_LONG, 42L);
    assertThat(number.get(JAVA_LONG, 0)).isEqualTo(42L);
    MemorySegment layout = allocator().allocate(JAVA_LONG);
    assertThat(layout.byteSize()).isEqualTo(8);
    MemorySegment array = allocator().allocate(JAVA_LONG, 10);
    assertThat(array.byteSize()).isEqualTo(80);
    assertThatThrownBy(() -> allocator().allocate(JAVA_LONG, Long.MAX_VALUE / 4))
        .isInstanceOf(IllegalArgumentException.class);
    List.of(text, ints, number, layout, array).forEach(allocator()::free);
  }

  /** A segment is alive and accessible to any thread. */
  @Test
  default void aSegmentIsAccessibleToAnyThread() {
    MemorySegment segment = allocator().allocate(64);
    assertThat(segment.scope().isAlive()).isTrue();
    segment.set(JAVA_LONG, 8, 7L);
    Crew.inAnotherThread(
        index -> {
          assertThat(segment.isAccessibleBy(Thread.currentThread())).isTrue();
          assertThat(segment.get(JAVA_LONG, 8)).isEqualTo(7L);
          segment.set(JAVA_LONG, 8, 9L);
        });
    assertThat(segment.get(JAVA_LONG, 8)).isEqualTo(9L);
    allocator().free(segment);
  }

  /** A slice that begins where a block begins frees the whole block. */
  @Test
  default void aSliceFromTheBeginningFreesTheWholeBlock() {
    for (long size : Sizes.few()) {
      MemorySegment block = allocator().allocate(size);
      LiveCounters before = live();
      long usable = allocator().usableSize(block);
      MemorySegment slice = block.asSlice(0, size / 2).asReadOnly();
      assertThat(allocator().owns(slice)).isTrue();
      assertThat(allocator().usableSize(slice)).isEqualTo(usable);
      allocator().free(slice);
      assertThat(live()).isEqualTo(before.minus(usable));
    }
  }

  private static void assertFilled(MemorySegment segment, byte value) {
    assertThat(RawBytes.firstOtherThan(segment.address(), segment.byteSize(), value))
        .as("first byte other than %d in a segment of %d bytes", value, segment.byteSize())
        .isEqualTo(-1);
  }

  private static void assertAligned(long address, long alignment, long size) {
    assertThat(address & (alignment - 1))
        .as("address %#x of %d bytes modulo %d", address, size, alignment)
        .isZero();
  }
}
