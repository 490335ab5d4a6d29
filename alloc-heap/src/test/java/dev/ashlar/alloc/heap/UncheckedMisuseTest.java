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
    RawFace raw = ((SegmentFace) allocator).raw();
    int chunk = ArenaChunks.FIRST_BYTES;
    int sizeClass = SizeClasses.of(chunk);
    Arena arena = allocator.newConfinedArena();
    arena.allocate(1);
    arena.allocate(chunk - 16); // gets a block of its own, of the same class
    long[] blocks = new long[Magazines.capacity(sizeClass)];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = raw.malloc(chunk);
    }
    fillDepot(raw, chunk);
    long slot = raw.slow().table().enter(Thread.currentThread());
    int out = blocks.length;
    while (Magazines.count(slot, sizeClass) > 0) {
      raw.malloc(chunk);
      out++;
    }
    // The magazine gets full, with a block freed twice the oldest in it; a block of the arena is
    // the
    // next to come.
    raw.free(blocks[0]);
    for (int i = 0; Magazines.count(slot, sizeClass) < Magazines.capacity(sizeClass); i++) {
      raw.free(blocks[i]);
      out--;
    }
    assertThatThrownBy(arena::close)
        .isInstanceOfSatisfying(
            MemoryMisuseException.class, e -> assertThat(e.address()).isEqualTo(blocks[0]));
    assertThat(arena.scope().isAlive()).isFalse();
    assertThat(allocator.stats().liveBlocks()).isEqualTo(out);
    allocator.close();
  }

  /** Frees so much that the depot has no room for another half magazine of a class. */
  private static void fillDepot(RawAllocator raw, int size) {
    int sizeClass = SizeClasses.of(size);
    long[] blocks = new long[Depot.CLASS_BYTES / size + 3 * Magazines.capacity(sizeClass)];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = raw.malloc(size);
    }
    for (long block : blocks) {
      raw.free(block);
    }
  }
}
