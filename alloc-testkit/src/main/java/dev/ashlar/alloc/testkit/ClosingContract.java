// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What {@link Allocator#close()} promises. Not for process-wide allocators, which stay open. */
public interface ClosingContract extends ContractSubject {

  /** Closing makes every segment inaccessible, freed or not, of whatever size. */
  @Test
  default void closingMakesEverySegmentInaccessible() {
    List<MemorySegment> segments = new ArrayList<>();
    for (long size : Sizes.few()) {
      segments.add(allocator().allocate(size + 8));
      segments.add(allocator().allocateZeroed(size + 8, 4_096));
      segments.add(allocator().tryAllocate(size + 8).orElseThrow());
      segments.add(allocator().reallocate(allocator().allocate(size), size + 8));
    }
    allocator().close();
    for (MemorySegment segment : segments) {
      assertThat(segment.scope().isAlive()).isFalse();
      assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> segment.set(JAVA_LONG, 0, 1L))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> segment.asSlice(0, 1).fill((byte) 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  /** A second close does nothing, by whichever thread. */
  @Test
  default void aSecondCloseDoesNothing() {
    allocator().allocate(100).fill((byte) 1);
    allocator().close();
    allocator().close();
    Crew.inAnotherThread(index -> allocator().close());
    allocator().close();
  }

  /** After close every method that needs memory says that the allocator is closed. */
  @Test
  default void everyUseAfterCloseIsRefused() {
    MemorySegment block = allocator().allocate(100);
    long address = block.address();
    RawAllocator raw = raw();
    allocator().close();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> allocator().allocate(8),
            () -> allocator().allocate(0),
            () -> allocator().allocate(8, 8),
            () -> allocator().allocate(100_000),
            () -> allocator().allocate(17L << 20),
            () -> allocator().allocateZeroed(8),
            () -> allocator().allocateZeroed(8, 8),
            () -> allocator().tryAllocate(8),
            () -> allocator().tryAllocate(8, 8),
            () -> allocator().reallocate(block, 200),
            () -> allocator().reallocate(block, 200, 8),
            () -> allocator().free(block),
            () -> allocator().usableSize(block),
            () -> allocator().newConfinedArena(),
            () -> allocator().newSharedArena(),
            () -> raw.malloc(8),
            () -> raw.malloc(17L << 20),
            () -> raw.zalloc(8),
            () -> raw.calloc(8, 8),
            () -> raw.alignedAlloc(8, 8),
            () -> raw.alignedZalloc(8, 8),
            () -> raw.realloc(address, 200),
            () -> raw.realloc(0, 200),
            () -> raw.alignedRealloc(address, 200, 8),
            () -> raw.alignedRealloc(0, 200, 8),
            () -> raw.free(address),
            () -> raw.usableSize(address))) {
      assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
      Crew.inAnotherThread(
          index -> assertThatThrownBy(call).isInstanceOf(IllegalStateException.class));
    }
  }

  /** After close nothing is owned. */
  @Test
  default void nothingIsOwnedAfterClose() {
    List<MemorySegment> blocks = new ArrayList<>();
    for (long size : Sizes.few()) {
      blocks.add(allocator().allocate(size));
    }
    RawAllocator raw = raw();
    allocator().close();
    for (MemorySegment block : blocks) {
      assertThat(allocator().owns(block)).isFalse();
      assertThat(raw.owns(block.address())).isFalse();
    }
  }

  /** Any thread may close. */
  @Test
  default void anyThreadMayClose() {
    MemorySegment block = allocator().allocate(100);
    Crew.inAnotherThread(index -> allocator().close());
    assertThat(block.scope().isAlive()).isFalse();
    assertThatThrownBy(() -> allocator().allocate(8)).isInstanceOf(IllegalStateException.class);
  }

  /** An open arena keeps its allocator from closing, and the attempt changes nothing. */
  @Test
  default void anOpenArenaKeepsItsAllocatorOpen() {
    for (boolean shared : new boolean[] {false, true}) {
      MemorySegment block = allocator().allocate(100);
      Canary.FULL.paint(block.address(), 100, 1);
      Arena arena = shared ? allocator().newSharedArena() : allocator().newConfinedArena();
      MemorySegment inArena = arena.allocate(100);
      inArena.fill((byte) 7);
      LiveCounters before = live();

      assertThatThrownBy(() -> allocator().close()).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> allocator().close()).isInstanceOf(IllegalStateException.class);

      assertThat(live()).isEqualTo(before);
      assertThat(allocator().owns(block)).isTrue();
      assertThat(block.get(JAVA_BYTE, 99)).isEqualTo(RawBytes.get(block.address() + 99));
      assertThat(Canary.FULL.firstDamage(block.address(), 100, 100, 1)).isEqualTo(-1);
      assertThat(inArena.get(JAVA_BYTE, 99)).isEqualTo((byte) 7);
      assertThat(arena.allocate(5_000).get(JAVA_BYTE, 4_999)).isZero();
      allocator().newConfinedArena().close();
      allocator().free(allocator().allocate(100_000));
      allocator().free(block);
      arena.close();
    }
    allocator().close();
    assertThatThrownBy(() -> allocator().allocate(8)).isInstanceOf(IllegalStateException.class);
  }

  /** An arena that nothing was allocated from keeps its allocator open all the same. */
  @Test
  default void anEmptyArenaKeepsItsAllocatorOpen() {
    Arena arena = allocator().newSharedArena();
    assertThatThrownBy(() -> allocator().close()).isInstanceOf(IllegalStateException.class);
    arena.close();
    allocator().close();
  }

  /** A segment in use by the operating system keeps its allocator open. */
  @Test
  default void aSegmentInUseKeepsItsAllocatorOpen() throws Exception {
    MemorySegment segment = allocator().allocate(64);
    try (PendingRead read = PendingRead.into(segment)) {
      LiveCounters before = live();
      assertThatThrownBy(() -> allocator().close()).isInstanceOf(IllegalStateException.class);
      assertThat(live()).isEqualTo(before);
      assertThat(segment.scope().isAlive()).isTrue();
      allocator().free(allocator().allocate(1_000));
      read.complete((byte) 42);
    }
    assertThat(segment.get(JAVA_BYTE, 0)).isEqualTo((byte) 42);
    allocator().close();
    assertThat(segment.scope().isAlive()).isFalse();
  }

  /** Allocators of one kind are independent: closing one leaves the other's blocks alone. */
  @Test
  default void closingOneAllocatorLeavesAnotherAlone() {
    Allocator other = anotherAllocator();
    MemorySegment block = other.allocate(1_000);
    Canary.FULL.paint(block.address(), 1_000, 5);
    allocator().allocate(1_000).fill((byte) 1);
    allocator().close();
    assertThat(block.get(JAVA_BYTE, 999)).isEqualTo(RawBytes.get(block.address() + 999));
    assertThat(Canary.FULL.firstDamage(block.address(), 1_000, 1_000, 5)).isEqualTo(-1);
    other.free(other.reallocate(block, 2_000));
  }
}
