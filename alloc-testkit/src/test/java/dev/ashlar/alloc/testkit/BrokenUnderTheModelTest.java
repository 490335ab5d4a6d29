// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.testkit.FaultyMemory.Call;
import java.util.EnumSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The model and the fault sweep pass an allocator that works and stop one that does not. */
class BrokenUnderTheModelTest {

  private static final ProgramOptions OPTIONS = ProgramOptions.thorough();
  private static final ProgramOptions SWEEP = ProgramOptions.bulk();

  private static void assertCaught(Supplier<Allocator> broken, String what) {
    OperationProgram program = OperationProgram.random(42, 20_000, OPTIONS);
    assertThatThrownBy(() -> program.run(broken.get(), OPTIONS))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("step ")
        .hasMessageContaining(what);
  }

  @Test
  void oneThatWorksPasses() {
    try (Allocator allocator = new SimpleAllocator()) {
      long seed = TestSeed.choose("the model on the simple allocator");
      OperationProgram.run(allocator, seed, 100_000, OPTIONS);
      OperationProgram.everyKind(OPTIONS).run(allocator, OPTIONS);
      ConcurrentPrograms.run(allocator, seed, 3, 20_000, OPTIONS);
    }
  }

  @Test
  void overlapsAreCaught() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected long extent(long usable) {
                return usable > 1_000 ? usable - 16 : usable;
              }
            },
        "overlaps");
  }

  @Test
  void misalignmentIsCaught() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected long align(long address, long alignment) {
                return super.align(address, Math.min(alignment, 512));
              }
            },
        "aligned");
  }

  @Test
  void dirtyMemoryIsCaught() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected void zero(long address, long size) {
                super.zero(address, size & -2);
              }
            },
        "not zero");
  }

  @Test
  void lostBytesAreCaught() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected void copy(long from, long to, long bytes) {
                RawMemory.copy(from, to, Math.max(bytes - 1, 0));
              }
            },
        "damaged");
  }

  @Test
  void damageIsCaught() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              public synchronized void free(long address) {
                super.free(address);
                if (address % 4_096 == 0) {
                  // As a free list inside blocks does that is off by one word.
                  RawBytes.putLong(address + goodSize(1_500), 0);
                }
              }
            },
        "damaged");
  }

  @Test
  void aLeakInTheCountersIsCaught() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              protected void count(long usable, int blocks) {
                super.count(usable, usable == 48 ? Math.max(blocks, 0) : blocks);
              }
            },
        "counters");
  }

  @Test
  void anUnnoticedDoubleFreeIsCaught() {
    assertCaught(
        () ->
            new SimpleAllocator() {
              @Override
              public synchronized void free(long address) {
                if (owns(address)) {
                  super.free(address);
                }
              }
            },
        "was taken");
  }

  private static int sweep(Function<VirtualMemory, Allocator> open) {
    return new FaultSweep(VirtualMemory.system(), open, allocator -> {})
        .run(OperationProgram.everyKind(SWEEP), SWEEP, EnumSet.of(Call.COMMIT), 1);
  }

  @Test
  void oneThatSurvivesEveryFaultPassesTheSweep() {
    assertThat(sweep(SimpleAllocator::new)).isGreaterThan(5);
  }

  @Test
  void oneThatLosesCountAtAFaultDoesNot() {
    assertThatThrownBy(
            () ->
                sweep(
                    memory ->
                        new SimpleAllocator(memory) {
                          @Override
                          protected void commit(long address, long bytes) {
                            count(bytes, 1);
                            super.commit(address, bytes);
                            count(bytes, -1);
                          }
                        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("call 1 of [COMMIT] refused");
  }

  @Test
  void oneThatLosesABlockAtAFaultDoesNot() {
    assertThatThrownBy(
            () ->
                sweep(
                    memory ->
                        new SimpleAllocator(memory) {
                          @Override
                          public synchronized long alignedRealloc(
                              long address, long newSize, long alignment) {
                            long moved = take(newSize, alignment, false, false);
                            if (address != 0) {
                              long kept = Math.min(usableSize(address), newSize);
                              copy(address, moved, kept);
                              give(address);
                            }
                            return moved;
                          }

                          @Override
                          protected void commit(long address, long bytes) {
                            try {
                              super.commit(address, bytes);
                            } catch (RuntimeException e) {
                              live.pollFirstEntry();
                              throw e;
                            }
                          }
                        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("refused");
  }

  @Test
  void oneThatAsksForBytesInsteadOfPagesDoesNot() {
    assertThatThrownBy(
            () ->
                sweep(
                    memory ->
                        new SimpleAllocator(memory) {
                          @Override
                          protected void commit(long address, long bytes) {
                            super.commit(address, bytes - 16);
                          }
                        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no range of OS pages");
  }
}
