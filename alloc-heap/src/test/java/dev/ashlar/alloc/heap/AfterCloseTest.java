// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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
  void virtualThreadsAreToldToo() throws InterruptedException {
    Allocator allocator = open();
    HeapStripes stripes = ((SegmentFace) allocator).engine().stripes();
    // All stripes there can be: none is left to be made when a thread finds the others held.
    List<HeapStripes.Stripe> held = new ArrayList<>();
    for (int i = 0; i < HeapAllocator.stripes(); i++) {
      held.add(stripes.hold(Thread.currentThread()));
    }
    held.forEach(HeapStripes.Stripe::letGo);
    allocator.close();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread =
        Thread.ofVirtual()
            .uncaughtExceptionHandler((t, e) -> thrown.set(e))
            .start(() -> allocator.raw().malloc(48));
    assertThat(thread.join(Duration.ofSeconds(30))).as("the call ends").isTrue();
    assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
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
