// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.api.Heap;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.testkit.Crew;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Giving up what heaps keep: of one thread, and of all heaps within reach. */
class CollectTest {

  private final Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults());
  private final RawAllocator raw = allocator.raw();

  @AfterEach
  void close() {
    AllocatorInvariants.check(allocator);
    allocator.close();
  }

  private static List<Long> blocks(RawAllocator raw, long size, int count) {
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(raw.malloc(size));
    }
    return blocks;
  }

  @Test
  void trimEmptiesTheCallingThreadsHeapOnly() {
    blocks(raw, 64, 3000).forEach(raw::free);
    Crew.inAnotherThread(
        index -> {
          blocks(raw, 4096, 100).forEach(raw::free);
          long cached = allocator.stats().cachedBytes();
          allocator.trim();
          AllocatorStats after = allocator.stats();
          assertThat(after.cachedBytes()).isLessThan(cached).isPositive();
        });
    assertThat(allocator.stats().cachedBytes()).isPositive();
    allocator.trim();
    assertThat(allocator.stats().cachedBytes()).isZero();
  }

  @Test
  void trimInAThreadWithoutAHeapMakesNone() throws InterruptedException {
    int heaps = allocator.stats().heaps();
    allocator.trim();
    Thread.ofVirtual().start(allocator::trim).join();
    assertThat(allocator.stats().heaps()).isEqualTo(heaps);
  }

  @Test
  void forcedCollectLeavesNothingCommittedWhenAllIsFree() throws InterruptedException {
    blocks(raw, 64, 3000).forEach(raw::free);
    blocks(raw, 100_000, 100).forEach(raw::free);
    blocks(raw, 3 << 20, 10).forEach(raw::free);
    Crew.inAnotherThread(index -> blocks(raw, 700, 3000).forEach(raw::free));
    Thread.ofVirtual().start(() -> blocks(raw, 300, 3000).forEach(raw::free)).join();
    Heap heap = allocator.newHeap();
    blocks(heap.raw(), 48, 1000).forEach(heap.raw()::free);
    long committed = allocator.stats().committedBytes();

    long got = allocator.collect(true);

    AllocatorStats after = allocator.stats();
    assertThat(after.cachedBytes()).isZero();
    assertThat(after.committedBytes()).isZero();
    assertThat(got).isEqualTo(committed);
    assertThat(after.reservedBytes()).isZero();
    heap.destroy();
  }

  @Test
  void whatTheOperatingSystemHasBackIsWhatIsCountedAsGoneBack() {
    long blockBytes = 256 << 10;
    List<Long> blocks = blocks(raw, blockBytes, 400);
    for (long block : blocks) {
      RawMemory.fill(block, blockBytes, (byte) 1);
    }
    long resident = VirtualMemory.system().processMemory().residentBytes();
    long committed = allocator.stats().committedBytes();
    blocks.forEach(raw::free);
    allocator.collect(true);
    long counted = committed - allocator.stats().committedBytes();
    long dropped = resident - VirtualMemory.system().processMemory().residentBytes();
    assertThat(counted).isGreaterThanOrEqualTo(400 * blockBytes);
    // The rest of the process moves a little meanwhile.
    assertThat(dropped).isBetween(counted - counted / 10, counted + counted / 10);
  }

  @Test
  void anUnforcedCollectTakesInRemoteFreesAndKeepsWhatIsReady() {
    List<Long> blocks = blocks(raw, 64, 20_000);
    long cached = allocator.stats().cachedBytes();
    Crew.inAnotherThread(index -> blocks.forEach(raw::free)); // most go home, to the pages
    assertThat(allocator.stats().remoteFrees()).isZero();
    assertThat(allocator.collect(false)).isZero();
    assertThat(allocator.stats().remoteFrees()).isGreaterThan(10_000);
    assertThat(allocator.stats().cachedBytes()).isEqualTo(cached);
  }

  // https://github.com/microsoft/mimalloc/issues/1117: only the default heap was collected.
  @Test
  void collectCoversAllHeapsOfTheThread() {
    Heap heap = allocator.newHeap();
    List<Long> blocks = blocks(heap.raw(), 64, 20_000);
    Crew.inAnotherThread(index -> blocks.forEach(raw::free));
    allocator.collect(true);
    assertThat(allocator.stats().remoteFrees()).isEqualTo(20_000);
    assertThat(allocator.stats().committedBytes()).isZero();
    heap.destroy();
  }

  @Test
  void heapsOfDeadThreadsAreForgottenWhenNothingOfThemIsLeft() {
    List<Long> kept = new ArrayList<>();
    Crew.together(
        8,
        index -> {
          List<Long> blocks = blocks(raw, 64, 1000);
          synchronized (kept) {
            kept.addAll(blocks);
          }
          blocks(raw, 500, 1000).forEach(raw::free);
        });
    allocator.collect(true);
    assertThat(allocator.stats().heaps()).isBetween(1, 8);
    assertThat(allocator.stats().liveBlocks()).isEqualTo(8000);
    kept.forEach(raw::free);
    assertThat(allocator.stats().liveBlocks()).isZero();
    allocator.collect(true);
    allocator.collect(true); // what the first took from this thread's heap went to the others'
    assertThat(allocator.stats().heaps()).isLessThanOrEqualTo(1);
    assertThat(allocator.stats().committedBytes()).isZero();
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  @Test
  void nothingIsCollectedAfterClose() {
    Allocator closed = HeapAllocator.open(AllocatorOptions.defaults());
    closed.close();
    assertThatThrownBy(closed::trim).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> closed.collect(true)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> closed.collect(false)).isInstanceOf(IllegalStateException.class);
  }
}
