// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.api.Heap;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.testkit.Canary;
import dev.ashlar.alloc.testkit.Crew;
import dev.ashlar.alloc.testkit.TestSeed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Heaps that a thread has asked for, of allocators with and without checks. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class ExplicitHeapTest {

  private static final long[] SIZES = {
    0, 1, 48, 1000, 32 << 10, (32 << 10) + 1, 512 << 10, 1 << 20, 20 << 20, 33_554_426
  };

  @Parameter boolean checks;

  private Allocator allocator;
  private RawAllocator raw;

  @BeforeEach
  void open() {
    allocator = HeapAllocator.open(AllocatorOptions.defaults().withChecks(checks));
    raw = allocator.raw();
  }

  @AfterEach
  void close() {
    AllocatorInvariants.check(allocator);
    allocator.close();
  }

  private static List<Long> fill(RawAllocator heap) {
    List<Long> blocks = new ArrayList<>();
    for (long size : SIZES) {
      for (int i = 0; i < 3; i++) {
        long block = heap.malloc(size);
        Canary.FULL.paint(block, size, block);
        blocks.add(block);
      }
    }
    return blocks;
  }

  @Test
  void blocksAreTheHeapsAndTheAllocatorsAtOnce() {
    try (Heap heap = allocator.newHeap();
        Heap other = allocator.newHeap()) {
      for (long block : fill(heap.raw())) {
        assertThat(heap.raw().owns(block)).isTrue();
        assertThat(other.raw().owns(block)).isFalse();
        assertThat(raw.owns(block)).isTrue();
        assertThat(heap.raw().usableSize(block)).isEqualTo(raw.usableSize(block));
      }
      MemorySegment aligned = heap.allocate(33_554_426, 1 << 20);
      assertThat(heap.contains(aligned)).isTrue();
      assertThat(other.contains(aligned)).isFalse();
      assertThat(heap.contains(allocator.allocate(64))).isFalse();
      AllocatorInvariants.check(allocator);
    }
  }

  @Test
  void destroyFreesEveryBlockAndNoOther() {
    List<Long> kept = fill(raw);
    long live = allocator.stats().liveBlocks();
    Heap heap = allocator.newHeap();
    List<Long> blocks = fill(heap.raw());
    raw.free(blocks.get(4)); // some are gone already
    heap.raw().free(blocks.get(7));
    heap.destroy();
    assertThat(allocator.stats().liveBlocks()).isEqualTo(live);
    for (long block : blocks) {
      assertThat(raw.owns(block) && !kept.contains(block)).isFalse();
    }
    for (int i = 0; i < kept.size(); i++) {
      long size = SIZES[i / 3];
      assertThat(Canary.FULL.firstDamage(kept.get(i), size, size, kept.get(i))).isEqualTo(-1);
      raw.free(kept.get(i));
    }
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  @Test
  void deletedHeapsBlocksLiveOnAndAreFreedThroughTheAllocator() {
    Heap heap = allocator.newHeap();
    List<Long> blocks = fill(heap.raw());
    long live = allocator.stats().liveBlocks();
    heap.delete();
    assertThat(allocator.stats().liveBlocks()).isEqualTo(live);
    AllocatorInvariants.check(allocator);
    for (int i = 0; i < blocks.size(); i++) {
      long size = SIZES[i / 3];
      assertThat(Canary.FULL.firstDamage(blocks.get(i), size, size, blocks.get(i))).isEqualTo(-1);
      raw.free(blocks.get(i));
    }
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  @Test
  void anEndedHeapIsClosedAlsoWhenAnotherHasItsPlace() {
    Heap first = allocator.newHeap();
    first.raw().malloc(48);
    first.destroy();
    first.destroy();
    first.close();
    Heap second = allocator.newHeap();
    long block = second.raw().malloc(48);
    for (Runnable call :
        List.<Runnable>of(
            () -> first.raw().malloc(48),
            () -> first.raw().malloc(1 << 20),
            () -> first.allocate(100_000),
            () -> first.raw().free(block),
            () -> first.raw().usableSize(block),
            () -> first.collect(true),
            () -> first.forEachBlock((address, size) -> {}),
            first::delete)) {
      assertThatThrownBy(call::run).isInstanceOf(IllegalStateException.class);
    }
    assertThat(first.raw().owns(block)).isFalse();
    assertThat(second.raw().owns(block)).isTrue();
    second.close();
    second.delete();
    assertThatThrownBy(second::destroy).isInstanceOf(IllegalStateException.class);
    raw.free(block);
  }

  @Test
  void aHeapRefusesBlocksOfOthersAndNothingChanges() {
    Heap heap = allocator.newHeap();
    Heap other = allocator.newHeap();
    List<Long> foreign = new ArrayList<>(fill(raw));
    foreign.addAll(fill(other.raw()));
    AllocatorStats before = allocator.stats();
    for (long block : foreign) {
      for (Runnable call :
          List.<Runnable>of(
              () -> heap.raw().free(block),
              () -> heap.raw().realloc(block, 1),
              () -> heap.raw().realloc(block, 1 << 21))) {
        assertThatThrownBy(call::run)
            .isInstanceOfSatisfying(
                MemoryMisuseException.class,
                e -> assertThat(e.kind()).isEqualTo(MemoryMisuseException.Kind.MISMATCHED));
      }
    }
    assertThat(allocator.stats()).isEqualTo(before);
    for (long block : foreign) {
      raw.free(block);
    }
    heap.destroy();
    other.destroy();
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  @Test
  void otherThreadsMayFreeThroughTheAllocatorButNotUseTheHeap() {
    Heap heap = allocator.newHeap();
    List<Long> blocks = fill(heap.raw());
    Crew.inAnotherThread(
        index -> {
          for (Runnable call :
              List.<Runnable>of(
                  () -> heap.raw().malloc(48),
                  () -> heap.raw().malloc(100_000),
                  () -> heap.raw().malloc(1 << 20),
                  () -> heap.raw().alignedAlloc(48, 64),
                  () -> heap.raw().free(blocks.getFirst()),
                  () -> heap.collect(false),
                  heap::delete,
                  heap::destroy,
                  heap::close)) {
            assertThatThrownBy(call::run).isInstanceOf(WrongThreadException.class);
          }
          assertThat(heap.raw().owns(blocks.getFirst())).isTrue();
          for (long block : blocks) {
            raw.free(block);
          }
        });
    assertThat(allocator.stats().liveBlocks()).isZero();
    heap.collect(false);
    assertThat(allocator.stats().remoteFrees()).isGreaterThanOrEqualTo(21); // small and medium ones
    AllocatorInvariants.check(allocator);
    heap.destroy();
  }

  @Test
  void anyThreadEndsTheHeapOfADeadOne() {
    AtomicReference<Heap> deleted = new AtomicReference<>();
    AtomicReference<Heap> destroyed = new AtomicReference<>();
    List<Long> blocks = new ArrayList<>();
    Crew.inAnotherThread(
        index -> {
          deleted.set(allocator.newHeap());
          destroyed.set(allocator.newHeap());
          blocks.addAll(fill(deleted.get().raw()));
          fill(destroyed.get().raw());
        });
    deleted.get().delete();
    destroyed.get().destroy();
    assertThat(allocator.stats().liveBlocks()).isEqualTo(blocks.size());
    AllocatorInvariants.check(allocator);
    blocks.forEach(raw::free);
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  @Test
  void aDeadThreadsHeapGivesUpWhatItHasReady() {
    AtomicReference<Heap> left = new AtomicReference<>();
    Crew.inAnotherThread(
        index -> {
          left.set(allocator.newHeap());
          for (int i = 0; i < 1000; i++) {
            left.get().raw().malloc(500);
          }
          left.get().forEachBlock((address, size) -> left.get().raw().free(address));
        });
    assertThat(allocator.stats().cachedBytes()).isPositive();
    allocator.collect(true);
    assertThat(allocator.stats().cachedBytes()).isZero();
    assertThat(allocator.stats().committedBytes()).isZero();
    left.get().delete();
  }

  @Test
  void aVisitorSeesEachLiveBlockOnce() {
    Heap heap = allocator.newHeap();
    List<Long> blocks = fill(heap.raw());
    for (int i = 0; i < 500; i++) {
      blocks.add(heap.raw().malloc(48));
    }
    for (int i = 0; i < 150; i++) {
      heap.raw().free(blocks.remove(i));
      raw.free(blocks.remove(i));
    }
    Map<Long, Long> seen = new HashMap<>();
    heap.forEachBlock(
        (address, size) -> {
          assertThat(seen.put(address, size)).isNull();
          assertThat(size).isEqualTo(raw.usableSize(address));
          heap.raw().free(address);
        });
    assertThat(seen.keySet()).containsExactlyInAnyOrderElementsOf(blocks);
    assertThat(allocator.stats().liveBlocks()).isZero();
    heap.destroy();
  }

  @Test
  void aThousandHeapsOneAfterAnotherLeaveNothing() {
    long reserved = 0;
    for (int i = 0; i < 1000; i++) {
      Heap heap = allocator.newHeap();
      for (int k = 0; k < 50; k++) {
        heap.raw().malloc(16L << k % 10);
      }
      long survivor = heap.raw().malloc(64);
      if (i % 2 == 0) {
        raw.free(survivor);
        heap.destroy();
      } else {
        heap.forEachBlock((address, size) -> raw.free(address));
        heap.delete();
      }
      if (i == 100) {
        reserved = allocator.stats().reservedBytes();
      }
    }
    assertThat(allocator.stats().liveBlocks()).isZero();
    assertThat(allocator.stats().heaps()).isLessThanOrEqualTo(1);
    assertThat(allocator.stats().reservedBytes()).isEqualTo(reserved);
  }

  @Test
  void manyHeapsAtOnceWorkLikeFew() {
    List<Heap> heaps = new ArrayList<>();
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < 300; i++) { // more than there are numbers to tell them apart with
      Heap heap = allocator.newHeap();
      heaps.add(heap);
      blocks.add(heap.raw().malloc(48));
      heap.raw().free(heap.raw().malloc(1000));
    }
    for (int i = 0; i < heaps.size(); i++) {
      Heap heap = heaps.get(i);
      long others = blocks.get((i + 1) % blocks.size());
      assertThatThrownBy(() -> heap.raw().free(others)).isInstanceOf(MemoryMisuseException.class);
      heap.raw().free(blocks.get(i));
      blocks.set(i, heap.raw().malloc(48));
    }
    assertThat(allocator.stats().liveBlocks()).isEqualTo(300);
    AllocatorInvariants.check(allocator);
    heaps.forEach(Heap::destroy);
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  // https://github.com/microsoft/mimalloc/issues/204: a block that outlived its heap was freed by
  // another thread while the heap was being deleted.
  @Test
  void blocksAreFreedElsewhereWhileTheirHeapIsDeleted() throws InterruptedException {
    long seed = TestSeed.choose("frees during deletes");
    SplittableRandom random = new SplittableRandom(seed);
    SynchronousQueue<Long> handed = new SynchronousQueue<>();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread freeing =
        new Thread(
            () -> {
              for (long block = take(handed); block != 0; block = take(handed)) {
                raw.free(block);
              }
            });
    freeing.setUncaughtExceptionHandler((thread, e) -> thrown.set(e));
    freeing.start();
    for (int i = 0; i < 20_000 && freeing.isAlive(); i++) {
      Heap heap = allocator.newHeap();
      long block = heap.raw().malloc(1024);
      handed.put(block);
      for (int spin = random.nextInt(200); spin > 0; spin--) {
        Thread.onSpinWait();
      }
      heap.close();
    }
    if (freeing.isAlive()) {
      handed.put(0L);
    }
    freeing.join();
    assertThat(thrown.get()).isNull();
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  private static long take(SynchronousQueue<Long> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void virtualThreadsHaveHeapsToo() throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread.ofVirtual()
        .uncaughtExceptionHandler((thread, e) -> thrown.set(e))
        .start(
            () -> {
              Heap heap = allocator.newHeap();
              List<Long> blocks = fill(heap.raw());
              Thread.yield();
              blocks.addAll(fill(heap.raw()));
              heap.delete();
              blocks.forEach(raw::free);
            })
        .join();
    assertThat(thrown.get()).isNull();
    assertThat(allocator.stats().liveBlocks()).isZero();
  }

  @Test
  void anOpenHeapEndsWithItsAllocator() {
    Allocator closed = HeapAllocator.open(AllocatorOptions.defaults().withChecks(checks));
    Heap heap = closed.newHeap();
    long block = heap.raw().malloc(48);
    closed.close();
    assertThatThrownBy(() -> heap.raw().malloc(48)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> heap.raw().free(block)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(heap::destroy).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(closed::newHeap).isInstanceOf(IllegalStateException.class);
    heap.close();
  }
}
