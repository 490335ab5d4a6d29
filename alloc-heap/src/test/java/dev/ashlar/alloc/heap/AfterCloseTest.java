package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class AfterCloseTest {

  private static Allocator open() {
    return HeapAllocator.open(AllocatorOptions.defaults().withName("gone"));
  }

  // The next allocator gets the slots, and may get the mark, of the closed one.
  @Test
  void aClosedAllocatorDoesNotActOnTheBlocksOfTheNext() {
    for (int i = 0; i < 300; i++) {
      Allocator closed = open();
      closed.raw().free(closed.raw().malloc(48));
      closed.close();
      try (Allocator next = open()) {
        long block = next.raw().malloc(48);
        long large = next.raw().malloc(1 << 20);
        for (Runnable call : callsOf(closed, block, large)) {
          assertThatThrownBy(call::run)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("'gone' is closed");
        }
        assertThat(closed.raw().owns(block)).isFalse();
        AllocatorInvariants.check(next);
        next.raw().free(block);
        next.raw().free(large);
        assertThat(next.stats().liveBlocks()).isZero();
      }
    }
  }

  private static Runnable[] callsOf(Allocator closed, long block, long large) {
    RawAllocator raw = closed.raw();
    return new Runnable[] {
      () -> raw.malloc(48),
      () -> raw.malloc(100_000),
      () -> raw.malloc(1 << 20),
      () -> raw.zalloc(1 << 20),
      () -> raw.calloc(2, 24),
      () -> raw.alignedAlloc(48, 64),
      () -> raw.free(block),
      () -> raw.free(large),
      () -> raw.realloc(block, 100),
      () -> raw.usableSize(block),
      () -> closed.allocate(48),
      () -> closed.free(MemorySegment.ofAddress(block)),
      closed::newConfinedArena,
      closed::newSharedArena,
    };
  }

  @Test
  void virtualThreadsAreToldToo() throws InterruptedException, ExecutionException {
    Allocator allocator = open();
    int threads = 8 * HeapAllocator.stripes();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch started = new CountDownLatch(threads);
      for (int i = 0; i < threads; i++) {
        executor.submit(
            () -> {
              started.countDown();
              for (int k = 0; k < 2000; k++) {
                allocator.raw().free(allocator.raw().malloc(k));
              }
            });
      }
      started.await();
    }
    allocator.close();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> call = executor.submit(() -> allocator.raw().malloc(48));
      assertThatThrownBy(call::get).hasCauseInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void theProcessWideAllocatorRefusesToCloseWhateverIsOpen() {
    Allocator forever = HeapAllocator.openForever(AllocatorOptions.defaults());
    try (Arena arena = forever.newConfinedArena()) {
      arena.allocate(10);
      assertThatThrownBy(forever::close).isInstanceOf(UnsupportedOperationException.class);
    }
    assertThatThrownBy(forever::close).isInstanceOf(UnsupportedOperationException.class);
    forever.newSharedArena().close();
  }
}
