// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.ScopedArena;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.testkit.ConfinedArenaContract;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A scoped arena is a confined arena, and can be reset to marks. */
class HeapScopedArenaTest extends ConfinedArenaContract {

  private final Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults());

  @Override
  protected Arena newArena() {
    return allocator.newScopedArena();
  }

  @Override
  protected void checkInvariants() {
    AllocatorInvariants.check(allocator);
    assertThat(allocator.stats().liveBlocks()).as("live blocks").isZero();
    allocator.close();
  }

  @Test
  void segmentsOfAResetScopeAreDeadAndOthersAreNot() {
    try (ScopedArena arena = allocator.newScopedArena()) {
      MemorySegment outer = arena.allocate(100).fill((byte) 1);
      int mark = arena.mark();
      MemorySegment inner = arena.allocate(100).fill((byte) 2);
      assertThat(arena.scope()).isEqualTo(inner.scope());

      arena.reset(mark);

      assertThatThrownBy(() -> inner.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
      assertThat(outer.get(JAVA_BYTE, 99)).isEqualTo((byte) 1);
      assertThat(arena.scope()).isEqualTo(outer.scope());
      MemorySegment next = arena.allocate(100);
      assertThat(next.address()).isEqualTo(inner.address());
      assertThat(next.mismatch(MemorySegment.ofArray(new byte[100]))).isEqualTo(-1);
    }
  }

  @Test
  void marksAreResetNewestFirst() {
    try (ScopedArena arena = allocator.newScopedArena()) {
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
  void closingEndsAllScopes() {
    ScopedArena arena = allocator.newScopedArena();
    List<MemorySegment> segments = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      segments.add(arena.allocate(3_000));
      assertThat(arena.mark()).isEqualTo(i + 1);
    }
    arena.close();

    assertThat(segments).noneMatch(segment -> segment.scope().isAlive());
    assertThatThrownBy(arena::mark).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.reset(1)).isInstanceOf(IllegalStateException.class);
    assertThat(allocator.stats().liveBytes()).isZero();
  }

  @Test
  void aThousandPhasesNeedTheMemoryOfTheLargest() {
    try (ScopedArena arena = allocator.newScopedArena()) {
      Random random = new Random(11);
      long most = 0;
      for (int phase = 0; phase < 1_000; phase++) {
        int mark = arena.mark();
        long size = random.nextLong(300_000);
        arena.allocate(size);
        for (int i = 0; i < 100; i++) {
          arena.allocate(random.nextLong(500));
        }
        most = Math.max(most, size);
        arena.reset(mark);
      }
      assertThat(allocator.stats().liveBytes()).isLessThan(2 * most);
    }
  }

  @Test
  void aLargeRequestDoesNotInflateTheNext() {
    try (ScopedArena arena = allocator.newScopedArena()) {
      arena.allocate(10);
      arena.allocate(1 << 20);
      arena.allocate(10);

      assertThat(allocator.stats().liveBytes())
          .isLessThanOrEqualTo((1 << 20) + 64 * 1024 + 2 * ArenaChunks.FIRST_BYTES);
    }
  }

  @Test
  void takingBackDoesNotGrowTheArena() {
    try (ScopedArena arena = allocator.newScopedArena()) {
      for (int i = 0; i < 3; i++) {
        arena.allocate(139_040, 128);
      }
      long afterTheFirst = 0;
      for (int i = 0; i < 36; i++) {
        int mark = arena.mark();
        arena.allocate(128);
        arena.reset(mark);
        afterTheFirst = i == 0 ? allocator.stats().liveBytes() : afterTheFirst;
      }
      assertThat(allocator.stats().liveBytes()).isEqualTo(afterTheFirst);
    }
  }

  @Test
  void aPoisoningArenaOverwritesWhatIsReset() {
    try (ScopedArena arena = allocator.newScopedArena(true)) {
      MemorySegment outer = arena.allocate(64).fill((byte) 1);
      int mark = arena.mark();
      long small = arena.allocate(64).fill((byte) 2).address();
      long large = arena.allocate(100_000).fill((byte) 2).address();

      arena.reset(mark);

      assertThat(RawMemory.getByte(small)).isEqualTo(ChunkedScopedArena.POISON);
      assertThat(RawMemory.getByte(large + 99_999)).isEqualTo(ChunkedScopedArena.POISON);
      assertThat(outer.get(JAVA_BYTE, 63)).isEqualTo((byte) 1);
    }
  }

  @Test
  void anotherThreadCanNeitherMarkNorReset() throws InterruptedException {
    try (ScopedArena arena = allocator.newScopedArena()) {
      int mark = arena.mark();
      List<Throwable> thrown = new ArrayList<>();
      Thread other =
          new Thread(
              () -> {
                for (Runnable call : List.<Runnable>of(arena::mark, () -> arena.reset(mark))) {
                  try {
                    call.run();
                  } catch (RuntimeException e) {
                    thrown.add(e);
                  }
                }
              });
      other.start();
      other.join();
      assertThat(thrown).hasSize(2).allMatch(e -> e instanceof WrongThreadException);
      assertThat(arena.depth()).isEqualTo(1);
    }
  }

  @Test
  void randomScopesNeverShareMemory() {
    for (long seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      try (ScopedArena arena = allocator.newScopedArena(random.nextBoolean())) {
        List<List<MemorySegment>> scopes = new ArrayList<>();
        scopes.add(new ArrayList<>());
        for (int step = 0; step < 500; step++) {
          int choice = random.nextInt(12);
          if (choice == 0) {
            arena.mark();
            scopes.add(new ArrayList<>());
          } else if (choice == 1 && arena.depth() > 0) {
            arena.reset(arena.depth());
            scopes.removeLast();
          } else {
            long size = random.nextLong(choice == 2 ? 200_000 : 600);
            byte paint = (byte) step;
            MemorySegment segment = arena.allocate(size, 1L << random.nextInt(8));
            assertThat(segment.mismatch(MemorySegment.ofArray(new byte[(int) size])))
                .as("zeros, seed %s", seed)
                .isEqualTo(-1);
            scopes.getLast().add(segment.fill(paint));
          }
        }
        for (List<MemorySegment> scope : scopes) {
          for (MemorySegment segment : scope) {
            if (segment.byteSize() > 0) {
              byte paint = segment.get(JAVA_BYTE, 0);
              assertThat(segment.toArray(JAVA_BYTE)).as("seed %s", seed).containsOnly(paint);
            }
          }
        }
      }
    }
  }
}
