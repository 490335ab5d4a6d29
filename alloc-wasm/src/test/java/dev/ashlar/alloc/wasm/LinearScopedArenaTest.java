// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.testkit.ConfinedArenaContract;
import dev.ashlar.alloc.wasm.NativeLinearMemory.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A scoped arena over a linear memory is a confined arena, and can be reset to marks. */
class LinearScopedArenaTest extends ConfinedArenaContract {

  /** An arena whose memory ends with it. */
  private record Owning(LinearScopedArena arena, NativeLinearMemory memory) implements Arena {

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return arena.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    @Override
    public void close() {
      arena.close();
      memory.close();
    }
  }

  @Override
  protected Arena newArena() {
    NativeLinearMemory memory = NativeLinearMemory.reserve(1, 8_192, Threads.ONE);
    return new Owning(new LinearScopedArena(memory, 0, false), memory);
  }

  @Test
  void segmentsOfAResetScopeAreDeadAndTheirMemoryIsReusedAsZeros() {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(0, 16, Threads.ONE);
        LinearScopedArena arena = new LinearScopedArena(memory, 0, false)) {
      MemorySegment outer = arena.allocate(100).fill((byte) 1);
      int mark = arena.mark();
      MemorySegment inner = arena.allocate(100).fill((byte) 2);
      assertThat(arena.scope()).isEqualTo(inner.scope());

      arena.reset(mark);

      assertThatThrownBy(() -> inner.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
      assertThat(outer.get(JAVA_BYTE, 99)).isEqualTo((byte) 1);
      MemorySegment next = arena.allocate(100);
      assertThat(next.address()).isEqualTo(inner.address());
      assertThat(next.mismatch(MemorySegment.ofArray(new byte[100]))).isEqualTo(-1);
    }
  }

  @Test
  void marksAreResetNewestFirst() {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(0, 16, Threads.ONE);
        LinearScopedArena arena = new LinearScopedArena(memory, 0, false)) {
      int outer = arena.mark();
      int inner = arena.mark();
      MemorySegment segment = arena.allocate(8);

      assertThatThrownBy(() -> arena.reset(outer))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("mark 1 cannot be reset: the newest is 2");
      assertThat(segment.scope().isAlive()).isTrue();
      arena.reset(inner);
      arena.reset(outer);
      assertThatThrownBy(() -> arena.reset(outer))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("mark 1 cannot be reset: there is none");
    }
  }

  @Test
  void aPoisonedScopeIsOverwritten() {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(0, 16, Threads.ONE);
        LinearScopedArena arena = new LinearScopedArena(memory, 0, true)) {
      arena.allocate(1);
      int mark = arena.mark();
      MemorySegment segment = arena.allocate(64).fill((byte) 7);
      long offset = segment.address() - memory.segment().address();
      arena.reset(mark);

      assertThat(memory.segment().get(JAVA_BYTE, offset + 63)).isEqualTo(ScopedAllocator.POISON);
    }
  }

  @Test
  void theNextArenaOverTheMemoryGivesOutZerosToo() {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(0, 16, Threads.ONE)) {
      for (int round = 0; round < 3; round++) {
        try (LinearScopedArena arena = new LinearScopedArena(memory, 1_024, false)) {
          MemorySegment segment = arena.allocate(100_000, 4_096);
          assertThat(segment.mismatch(MemorySegment.ofArray(new byte[100_000]))).isEqualTo(-1);
          segment.fill((byte) 0xFF);
          assertThat(arena.stats().liveBytes()).isEqualTo(100_000);
        }
      }
      assertThat(memory.pages()).isEqualTo(2);
    }
  }

  @Test
  void aMemoryHasOneArenaAtATimeAndDoesNotCloseUnderIt() {
    NativeLinearMemory memory = NativeLinearMemory.reserve(0, 16, Threads.ONE);
    LinearScopedArena arena = new LinearScopedArena(memory, 0, false);
    MemorySegment segment = arena.allocate(8);

    assertThatThrownBy(() -> new LinearScopedArena(memory, 0, false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the linear memory has an open arena");
    assertThatThrownBy(memory::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the linear memory has an open arena");
    segment.set(JAVA_BYTE, 0, (byte) 1);
    arena.close();
    memory.close();
    assertThatThrownBy(() -> new LinearScopedArena(memory, 0, false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the linear memory is closed");
  }

  @Test
  void aMemoryOverTheCallersSegmentHasNone() {
    try (Arena outer = Arena.ofConfined();
        NativeLinearMemory memory =
            NativeLinearMemory.over(outer.allocate(1 << 17, 16), 1, Threads.ONE)) {
      assertThatThrownBy(() -> new LinearScopedArena(memory, 0, false))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void exhaustionTellsTheFiguresAndChangesNothing() {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(0, 4, Threads.ONE);
        LinearScopedArena arena = new LinearScopedArena(memory, 0, false)) {
      arena.allocate(1_000);
      GuestStats before = arena.stats();
      for (long alignment : new long[] {1, 4_096, 1 << 20}) {
        assertThatThrownBy(() -> arena.allocate(300_000, alignment))
            .isInstanceOfSatisfying(
                NativeMemoryExhaustedError.class,
                e -> {
                  assertThat(e.live()).isEqualTo(1_008);
                  assertThat(e.limit()).isEqualTo(4 << 16);
                  assertThat(e.level()).isEqualTo("linear memory");
                });
      }
      assertThat(arena.stats()).isEqualTo(before);
      arena.allocate(200_000);
    }
  }
}
