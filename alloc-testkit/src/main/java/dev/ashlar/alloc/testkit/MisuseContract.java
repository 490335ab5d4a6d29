// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.MemoryMisuseException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What an allocator that checks does with addresses that are no live block of it: it says what is
 * wrong and changes nothing. Not for allocators made without checks.
 */
public interface MisuseContract extends ContractSubject {

  /** A second free is refused, at once and after other blocks have come and gone. */
  @Test
  default void aSecondFreeIsRefused() {
    for (long size : Sizes.all()) {
      MemorySegment block = allocator().allocate(size);
      long address = block.address();
      EnumSet<Kind> kinds = free(address);
      assertMisuse(kinds, address);
      long other = raw().malloc(size == 5_000 ? 100_000 : 5_000);
      if (address < other || address >= other + raw().usableSize(other)) {
        assertMisuse(kinds, address);
      }
      raw().free(other);
    }
  }

  /** A second free by another thread than the first is refused too. */
  @Test
  default void aSecondFreeByAnotherThreadIsRefused() {
    for (long size : Sizes.few()) {
      long block = raw().malloc(size);
      List<EnumSet<Kind>> kinds = new ArrayList<>();
      Crew.inAnotherThread(index -> kinds.add(free(block)));
      assertMisuse(kinds.getFirst(), block);
      long second = raw().malloc(size);
      EnumSet<Kind> secondKinds = free(second);
      Crew.inAnotherThread(index -> assertMisuse(secondKinds, second));
    }
  }

  /** A block that is resized is not live at its old address any more, unless it stayed there. */
  @Test
  default void theOldAddressOfAMovedBlockIsRefused() {
    for (long from : Sizes.few()) {
      for (long to : Sizes.few()) {
        long block = raw().malloc(from);
        long reserved = allocator().stats().reservedBytes();
        long resized = raw().realloc(block, to);
        if (resized != block) {
          assertMisuse(freedKinds(reserved), block);
        }
        raw().free(resized);
      }
    }
  }

  /** A second free leads to no block being given out twice. */
  @Test
  default void aSecondFreeGivesNoBlockTwice() {
    for (long size : Sizes.few()) {
      List<Long> freed = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        freed.add(raw().malloc(size));
      }
      long reserved = allocator().stats().reservedBytes();
      freed.forEach(raw()::free);
      EnumSet<Kind> kinds = freedKinds(reserved);
      freed.forEach(block -> assertMisuse(kinds, block));
      Set<Long> given = new HashSet<>();
      for (int i = 0; i < 40; i++) {
        assertThat(given.add(raw().malloc(size))).as("a block that is not live yet").isTrue();
      }
      given.forEach(raw()::free);
    }
  }

  /** The inside of a live block is refused, and the block stays as it is. */
  @Test
  default void theInsideOfALiveBlockIsRefused() {
    for (long size : Sizes.all()) {
      long usable = raw().goodSize(size);
      MemorySegment block = allocator().allocate(usable);
      Canary.SPARSE.paint(block.address(), usable, size);
      for (long inside : new long[] {1, 8, 15, 16, usable / 2, usable - 16, usable - 1}) {
        if (inside > 0 && inside < usable) {
          EnumSet<Kind> kinds = EnumSet.of(Kind.INTERIOR);
          assertMisuse(kinds, kinds, block.asSlice(inside));
        }
      }
      assertThat(allocator().owns(block)).isTrue();
      assertThat(Canary.SPARSE.firstDamage(block.address(), usable, usable, size)).isEqualTo(-1);
      allocator().free(block);
    }
  }

  /** The inside of a block that is free already counts as freed before. */
  @Test
  default void theInsideOfAFreeBlockIsRefused() {
    for (long size : Sizes.few()) {
      long neighbour = raw().malloc(size);
      long block = raw().malloc(size);
      long usable = raw().usableSize(block);
      EnumSet<Kind> kinds = free(block);
      for (long inside : new long[] {8, 16, usable / 2, usable - 1}) {
        if (inside < usable) {
          assertMisuse(kinds, block + inside);
        }
      }
      raw().free(neighbour);
    }
  }

  /** Numbers that are no address of the allocator are refused without being looked at. */
  @Test
  default void numbersThatAreNoAddressAreRefused() {
    raw().free(raw().malloc(1));
    for (long number :
        new long[] {
          1,
          8,
          16,
          0x1000,
          1L << 20,
          1L << 32,
          1L << 46,
          1L << 47,
          1L << 62,
          -1,
          -16,
          -4_096,
          Long.MIN_VALUE,
          Long.MIN_VALUE + 16,
          Long.MAX_VALUE,
          Long.MAX_VALUE - 15
        }) {
      assertMisuse(Kind.FOREIGN, number);
    }
  }

  /** Memory of other origin is refused and not written to. */
  @Test
  default void memoryOfOtherOriginIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      for (long size : new long[] {16, 64, 1_024, 100_000, 1L << 20}) {
        MemorySegment foreign = arena.allocate(size, 64);
        foreign.fill((byte) 0x5A);
        assertMisuse(Kind.FOREIGN, foreign.address());
        assertThat(RawBytes.firstOtherThan(foreign.address(), size, (byte) 0x5A)).isEqualTo(-1);
      }
    }
    assertKind(EnumSet.of(Kind.FOREIGN), 0, () -> allocator().free(MemorySegment.NULL));
  }

  /** Segments over arrays of the Java heap are refused, wherever they begin. */
  @Test
  default void memoryOfTheJavaHeapIsRefused() {
    MemorySegment array = MemorySegment.ofArray(new long[64]);
    LiveCounters before = live();
    for (MemorySegment segment : List.of(array, array.asSlice(16), array.asSlice(256, 8))) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> allocator().free(segment),
              () -> allocator().usableSize(segment),
              () -> allocator().reallocate(segment, 8))) {
        MemoryMisuseException misuse = catchThrowableOfType(MemoryMisuseException.class, call);
        assertThat(misuse).isNotNull();
        assertThat(misuse.kind()).isEqualTo(Kind.FOREIGN);
      }
    }
    assertThat(live()).isEqualTo(before);
  }

  /** A block of another allocator is refused, and stays live there. */
  @Test
  default void aBlockOfAnotherAllocatorIsRefused() {
    for (long size : Sizes.few()) {
      MemorySegment other = anotherAllocator().allocate(size);
      assertMisuse(Kind.FOREIGN, other.address());
      anotherAllocator().free(other);
    }
  }

  /**
   * A segment of an arena is refused as freed by other means, and stays usable. Its address alone
   * is just as well the inside of a block where an arena cuts its segments out of blocks.
   */
  @Test
  default void memoryOfAnArenaIsRefused() {
    for (boolean shared : new boolean[] {false, true}) {
      try (Arena arena = shared ? allocator().newSharedArena() : allocator().newConfinedArena()) {
        for (long size : new long[] {0, 16, 100, 5_000, 100_000, 1L << 20, 17L << 20}) {
          MemorySegment segment = arena.allocate(size, 16);
          segment.fill((byte) 3);
          assertMisuse(
              EnumSet.of(Kind.MISMATCHED, Kind.INTERIOR), EnumSet.of(Kind.MISMATCHED), segment);
          assertThat(RawBytes.firstOtherThan(segment.address(), size, (byte) 3)).isEqualTo(-1);
        }
      }
    }
  }

  /** Frees a block and returns what it may be called from then on. */
  private EnumSet<Kind> free(long block) {
    long reserved = allocator().stats().reservedBytes();
    raw().free(block);
    return freedKinds(reserved);
  }

  /** An allocator that gave a block's address space back may have forgotten that it was a block. */
  private EnumSet<Kind> freedKinds(long reservedBefore) {
    return allocator().stats().reservedBytes() < reservedBefore
        ? EnumSet.of(Kind.DOUBLE_FREE, Kind.FOREIGN)
        : EnumSet.of(Kind.DOUBLE_FREE);
  }

  private void assertMisuse(Kind kind, long address) {
    assertMisuse(EnumSet.of(kind), address);
  }

  private void assertMisuse(EnumSet<Kind> kinds, long address) {
    assertMisuse(kinds, kinds, MemorySegment.ofAddress(address));
  }

  /** Calls every method that takes a block with what is none, by address and as a segment. */
  private void assertMisuse(
      EnumSet<Kind> byAddress, EnumSet<Kind> bySegment, MemorySegment segment) {
    LiveCounters before = live();
    long address = segment.address();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> raw().free(address),
            () -> raw().usableSize(address),
            () -> raw().realloc(address, 100),
            () -> raw().alignedRealloc(address, 100, 64))) {
      assertKind(byAddress, address, call);
    }
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> allocator().free(segment),
            () -> allocator().usableSize(segment),
            () -> allocator().reallocate(segment, 100),
            () -> allocator().reallocate(segment, 100, 64))) {
      assertKind(bySegment, address, call);
    }
    assertThat(raw().owns(address)).isFalse();
    assertThat(allocator().owns(segment)).isFalse();
    assertThat(live()).isEqualTo(before);
  }

  private static void assertKind(EnumSet<Kind> kinds, long address, ThrowingCallable call) {
    MemoryMisuseException misuse = catchThrowableOfType(MemoryMisuseException.class, call);
    assertThat(misuse).as("misuse of %#x, expected %s", address, kinds).isNotNull();
    assertThat(misuse.kind()).as("%s", misuse).isIn(kinds);
    assertThat(misuse.address()).isEqualTo(address);
    assertThat(misuse).hasMessageContaining(Long.toHexString(address));
  }
}
