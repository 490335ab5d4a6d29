// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.api.Heap;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.testkit.FaultyMemory;
import dev.ashlar.alloc.testkit.FaultyMemory.Call;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Blocks with segments of their own that change their size: their pages move, or they are copied.
 */
class HugeReallocationTest {

  private static final long MIB = 1 << 20;
  private static final long STEP = 64 << 10;

  private final FaultyMemory memory = new FaultyMemory(VirtualMemory.system());
  private final Allocator allocator =
      HeapAllocator.open(AllocatorOptions.defaults().withMemory(memory));

  @AfterEach
  void close() {
    AllocatorInvariants.check(allocator);
    allocator.close();
  }

  private static long filled(RawAllocator raw, long size) {
    long address = raw.malloc(size);
    for (long at = 0; at < size; at += STEP) {
      RawMemory.putLong(address + at, at ^ size);
    }
    return address;
  }

  private static void check(long address, long bytes, long size) {
    for (long at = 0; at < bytes; at += STEP) {
      assertThat(RawMemory.getLong(address + at)).isEqualTo(at ^ size);
    }
  }

  private void growAndShrink(RawAllocator raw) {
    long block = filled(raw, 40 * MIB);
    long grown = raw.realloc(block, 100 * MIB);
    assertThat(grown).isNotEqualTo(block);
    check(grown, 40 * MIB, 40 * MIB);
    assertThat(raw.usableSize(grown)).isGreaterThanOrEqualTo(100 * MIB);
    assertThat(raw.owns(block)).isFalse();
    assertThatThrownBy(() -> raw.free(block)).isInstanceOf(MemoryMisuseException.class);
    RawMemory.fill(grown + 40 * MIB, 60 * MIB, (byte) 1);

    long shrunk = raw.realloc(grown, 20 * MIB);
    check(shrunk, 20 * MIB, 40 * MIB);
    AllocatorStats stats = allocator.stats();
    assertThat(stats.liveBytes()).isEqualTo(20 * MIB);
    assertThat(stats.liveBlocks()).isEqualTo(1);
    assertThat(stats.committedBytes()).isEqualTo(20 * MIB);
    AllocatorInvariants.check(allocator);
    raw.free(shrunk);
    assertThat(allocator.stats().liveBytes()).isZero();
  }

  @Test
  void movedPagesKeepTheirContentsAndAllThatIsCounted() {
    assumeTrue(memory.capabilities().canRemap(), "the operating system moves no pages");
    growAndShrink(allocator.raw());
    assertThat(memory.count(Call.REMAP)).isEqualTo(2);
  }

  @Test
  void anExplicitHeapsBlockStaysItsOwn() {
    try (Heap heap = allocator.newHeap()) {
      growAndShrink(heap.raw());
      long block = filled(heap.raw(), 40 * MIB);
      long grown = heap.raw().realloc(block, 80 * MIB);
      assertThat(heap.raw().owns(grown)).isTrue();
      assertThat(heap.raw().owns(block)).isFalse();
      heap.destroy();
    }
    assertThat(allocator.stats().liveBytes()).isZero();
  }

  @Test
  void whereTheSystemRefusesToMovePagesTheyAreCopied() {
    memory.refuseAll(EnumSet.of(Call.REMAP));
    growAndShrink(allocator.raw());
    memory.allow();
  }

  @Test
  void blocksMoveToAnAlignedAddress() {
    RawAllocator raw = allocator.raw();
    long block = filled(raw, 40 * MIB);
    long moved = raw.alignedRealloc(block, 90 * MIB, 256 * MIB);
    assertThat(moved % (256 * MIB)).isZero();
    check(moved, 40 * MIB, 40 * MIB);
    raw.free(moved);
  }

  @Test
  void aRefusalLeavesTheBlockAndTheCounters() {
    RawAllocator raw = allocator.raw();
    long block = filled(raw, 40 * MIB);
    AllocatorStats before = allocator.stats();

    memory.refuseAll(EnumSet.of(Call.COMMIT));
    assertThatThrownBy(() -> raw.realloc(block, 100 * MIB))
        .isInstanceOf(NativeMemoryExhaustedError.class);
    memory.allow();

    assertThat(allocator.stats()).isEqualTo(before);
    check(block, 40 * MIB, 40 * MIB);
    raw.free(block);
  }

  @Test
  void whatIsGrownByMovingIsZeroForTheNextUser() {
    RawAllocator raw = allocator.raw();
    long block = filled(raw, 40 * MIB);
    raw.free(raw.realloc(block, 100 * MIB));
    long zeroed = raw.zalloc(200 * MIB);
    for (long at = 0; at < 200 * MIB; at += 4096) {
      assertThat(RawMemory.getLong(zeroed + at)).isZero();
    }
    raw.free(zeroed);
  }
}
