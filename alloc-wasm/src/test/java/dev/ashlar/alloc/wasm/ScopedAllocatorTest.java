// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.wasm.NativeLinearMemory.Threads;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Marks and resets of a scoped allocator. */
class ScopedAllocatorTest {

  private final NativeLinearMemory memory = NativeLinearMemory.reserve(1, 64, Threads.ONE);
  private final WatchedMemory watched = new WatchedMemory(memory);
  private final ScopedAllocator scoped = new ScopedAllocator(watched, 0, false);

  @AfterEach
  void close() {
    memory.close();
  }

  @Test
  void aResetGivesTheMemoryOfItsScopeToTheNext() {
    long kept = scoped.malloc(100);
    long first = 0;
    for (int phase = 0; phase < 1_000; phase++) {
      int mark = scoped.mark();
      long block = scoped.malloc(50_000);
      scoped.malloc(50_000);
      first = first == 0 ? block : first;
      assertThat(block).isEqualTo(first);
      scoped.reset(mark);
    }
    assertThat(scoped.usableSize(kept)).isEqualTo(112);
    assertThat(scoped.stats())
        .isEqualTo(new GuestStats(112, 100_112, 112 + 1_000 * 100_000L, 2, 2));
    assertThat(watched.filledBytes).isZero();
  }

  @Test
  void marksAreResetNewestFirst() {
    int outer = scoped.mark();
    int inner = scoped.mark();

    assertThatThrownBy(() -> scoped.reset(outer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("mark 1 cannot be reset: the newest is 2");
    scoped.reset(inner);
    scoped.reset(outer);
    assertThatThrownBy(() -> scoped.reset(outer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("mark 1 cannot be reset: there is none");
    assertThatThrownBy(() -> scoped.reset(0)).isInstanceOf(IllegalStateException.class);
    assertThat(scoped.depth()).isZero();
  }

  @Test
  void aBlockOfAnOuterScopeDoesNotGrowIntoTheNewest() {
    long outer = scoped.malloc(64);
    memory.segment().asSlice(outer, 64).fill((byte) 3);
    int mark = scoped.mark();

    long moved = scoped.realloc(outer, 128);

    assertThat(moved).isNotEqualTo(outer);
    assertThat(memory.segment().get(JAVA_BYTE, moved + 63)).isEqualTo((byte) 3);
    scoped.reset(mark);
    assertThat(scoped.malloc(16)).isEqualTo(outer + 64);
  }

  @Test
  void reusedMemoryIsZeroedWhenThatIsAskedFor() {
    int mark = scoped.mark();
    memory.segment().asSlice(scoped.malloc(2_000), 2_000).fill((byte) 1);
    scoped.reset(mark);

    long block = scoped.zalloc(5_000);

    assertThat(
            memory.segment().asSlice(block, 5_000).mismatch(MemorySegment.ofArray(new byte[5_000])))
        .isEqualTo(-1);
    assertThat(watched.filledBytes).isEqualTo(2_000);
  }

  @Test
  void blocksOfAResetScopeAreGoneAlsoWhenTheirMemoryIsReused() {
    int mark = scoped.mark();
    long[] old = new long[100];
    for (int i = 0; i < old.length; i++) {
      old[i] = scoped.malloc(32);
    }
    long large = scoped.malloc(5_000);
    scoped.reset(mark);
    for (long block : old) {
      assertThatThrownBy(() -> scoped.free(block)).isInstanceOf(MemoryMisuseException.class);
    }

    long reused = scoped.malloc(3_000);

    assertThat(reused).isEqualTo(old[0]);
    for (int i = 1; i < old.length; i++) {
      long inside = old[i];
      assertThatThrownBy(() -> scoped.free(inside)).isInstanceOf(MemoryMisuseException.class);
    }
    assertThatThrownBy(() -> scoped.free(large)).isInstanceOf(MemoryMisuseException.class);
    scoped.free(reused);
  }

  @Test
  void aPoisoningAllocatorOverwritesWhatIsReset() {
    ScopedAllocator poisoning = new ScopedAllocator(memory, 0, true);
    long kept = poisoning.malloc(16);
    memory.segment().asSlice(kept, 16).fill((byte) 1);
    int mark = poisoning.mark();
    long lost = poisoning.malloc(100);
    memory.segment().asSlice(lost, 100).fill((byte) 2);

    poisoning.reset(mark);

    assertThat(memory.segment().get(JAVA_BYTE, kept + 15)).isEqualTo((byte) 1);
    assertThat(memory.segment().get(JAVA_BYTE, lost)).isEqualTo(ScopedAllocator.POISON);
    assertThat(memory.segment().get(JAVA_BYTE, lost + 99)).isEqualTo(ScopedAllocator.POISON);
  }

  @Test
  void aFreeInAnInnerScopeOfAnOuterBlockCountsInTheOuterScope() {
    long outer = scoped.malloc(64);
    int mark = scoped.mark();
    scoped.free(scoped.malloc(16));
    scoped.free(outer);
    assertThat(scoped.stats().liveBytes()).isZero();

    scoped.reset(mark);

    assertThat(scoped.stats().liveBytes()).isZero();
    assertThat(scoped.stats().cumulativeBytes()).isEqualTo(80);
  }
}
