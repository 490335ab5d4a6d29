// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.segment.SizeClasses;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Without checks misuse is found late, when blocks go back to their pages, and does no more harm.
 */
class UncheckedMisuseTest {

  private static Allocator open() {
    return HeapAllocator.open(AllocatorOptions.defaults().withChecks(false));
  }

  @Test
  void addressesOutsideTheAddressSpaceAreStillRefused() {
    try (Allocator allocator = open()) {
      RawAllocator raw = allocator.raw();
      for (long address : new long[] {1, 16, 0x1000, -16, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> raw.free(address)).isInstanceOf(MemoryMisuseException.class);
      }
      raw.free(0);
    }
  }

  @Test
  void aBlockOfAnotherAllocatorIsFoundWhenItGoesBack() {
    try (Allocator one = open();
        Allocator other = open()) {
      RawAllocator raw = one.raw();
      long stranger = other.raw().malloc(64);
      long[] own = new long[6000];
      for (int i = 0; i < own.length; i++) {
        own[i] = raw.malloc(64);
      }
      // So many that magazine and depot are full and every flush goes to the pages.
      int before = 5500;
      for (int i = 0; i < before; i++) {
        raw.free(own[i]);
      }
      raw.free(stranger);
      int found = 0;
      for (int i = before; i < own.length; i++) {
        try {
          raw.free(own[i]);
        } catch (MemoryMisuseException e) {
          assertThat(e.kind()).isEqualTo(MemoryMisuseException.Kind.FOREIGN);
          assertThat(e.address()).isEqualTo(stranger);
          found++;
        }
      }
      assertThat(found).isEqualTo(1);
      assertThat(one.stats().liveBlocks()).isZero();
      AllocatorInvariants.check(one);
      AllocatorInvariants.check(other);
      other.raw().free(stranger);
    }
  }

  @Test
  void aLargeBlockFreedTwiceIsToldAtOnce() {
    try (Allocator allocator = open()) {
      long block = allocator.raw().malloc(1 << 20);
      allocator.raw().free(block);
      assertThatThrownBy(() -> allocator.raw().free(block))
          .isInstanceOfSatisfying(
              MemoryMisuseException.class,
              e -> assertThat(e.kind()).isEqualTo(MemoryMisuseException.Kind.DOUBLE_FREE));
      AllocatorInvariants.check(allocator);
    }
  }

  @Test
  void aMediumBlockFreedTwiceIsToldAtOnce() {
    try (Allocator allocator = open()) {
      long other = allocator.raw().malloc(40_000);
      long block = allocator.raw().malloc(40_000);
      allocator.raw().free(block);
      assertThatThrownBy(() -> allocator.raw().free(block))
          .isInstanceOf(MemoryMisuseException.class);
      allocator.raw().free(other);
      AllocatorInvariants.check(allocator);
    }
  }

  @Test
  void blocksStayDistinctWithoutMisuse() {
    try (Allocator allocator = open()) {
      Set<Long> blocks = new HashSet<>();
      for (int i = 0; i < 100_000; i++) {
        assertThat(blocks.add(allocator.raw().malloc(i % 300))).isTrue();
      }
      blocks.forEach(allocator.raw()::free);
      assertThat(allocator.stats().liveBlocks()).isZero();
      AllocatorInvariants.check(allocator);
    }
  }

  @Test
  void anArenaClosesAlthoughMisuseComesToLightThen() {
    Allocator allocator = open();
    RawAllocator raw = allocator.raw();
    int chunk = ArenaChunks.FIRST_BYTES;
    Arena arena = allocator.newConfinedArena();
    arena.allocate(1);
    // The magazine and depot of the chunk's class are full, and a block freed twice is the oldest.
    long[] blocks = new long[1000];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = raw.malloc(chunk);
    }
    for (long block : blocks) {
      raw.free(block);
    }
    int sizeClass = SizeClasses.of(chunk);
    boolean told = false;
    for (int i = 0; i < Magazines.capacity(sizeClass) && !told; i++) {
      long twice = raw.malloc(chunk);
      raw.free(twice);
      try {
        raw.free(twice);
      } catch (MemoryMisuseException e) {
        told = true;
      }
    }
    try {
      arena.close();
    } catch (MemoryMisuseException e) {
      assertThat(arena.scope().isAlive()).isFalse();
    }
    allocator.close();
  }
}
