// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.wasm.NativeLinearMemory.Threads;
import dev.ashlar.alloc.wasm.SelfTest.Check;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The self-test passes on every allocator, and names what is wrong with broken ones. */
class SelfTestTest {

  enum Kind {
    BUMP,
    SCOPED,
    RECLAIMING;

    GuestAllocator over(LinearMemory memory, long heapBase) {
      return switch (this) {
        case BUMP -> new BumpAllocator(memory, heapBase);
        case SCOPED -> new ScopedAllocator(memory, heapBase, true);
        case RECLAIMING -> new ReclaimingAllocator(memory, heapBase);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void allIsWellWithEveryAllocator(Kind kind) {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(1, 64, Threads.ONE)) {
      assertThat(SelfTest.run(memory, kind.over(memory, 1_000))).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void allIsWellAbout2GiBAndAtTheEndOfTheGreatestMemory(Kind kind) {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(32_760, 32_800, Threads.ONE)) {
      assertThat(SelfTest.run(memory, kind.over(memory, (1L << 31) - 300_000))).isEmpty();
    }
    try (NativeLinearMemory memory =
        NativeLinearMemory.reserve(65_500, LinearMemory.MAX_PAGES, Threads.ONE)) {
      assertThat(SelfTest.run(memory, kind.over(memory, (1L << 32) - 2_300_000))).isEmpty();
    }
  }

  @Test
  void codesAreDistinct() {
    Set<Integer> codes = new HashSet<>();
    Arrays.stream(Check.values()).forEach(check -> codes.add(check.code()));
    assertThat(codes).hasSameSizeAs(Check.values()).allMatch(code -> code > 0);
  }

  @ParameterizedTest
  @EnumSource
  void eachFaultIsNamed(Check check) {
    try (NativeLinearMemory memory = NativeLinearMemory.reserve(1, 64, Threads.ONE)) {
      GuestAllocator good = new ReclaimingAllocator(memory, 1_000);
      assertThat(SelfTest.run(memory, new Broken(memory, good, check))).contains(check);
    }
  }

  /** An allocator with one fault, which the check of that name is to find. */
  private static final class Broken implements GuestAllocator {

    private static final Set<Long> EXHAUSTING = Set.of(1L << 16, 1L << 14, 1L << 12, 1L << 10);

    private final LinearMemory memory;
    private final GuestAllocator good;
    private final Check fault;
    private long shared;
    private int usableSizes;

    Broken(LinearMemory memory, GuestAllocator good, Check fault) {
      this.memory = memory;
      this.good = good;
      this.fault = fault;
    }

    @Override
    public long malloc(long size) {
      return switch (fault) {
        case CONTENTS -> good.malloc(Math.min(size, 64));
        case LARGE_BLOCK -> good.malloc(size == 600_000 ? 100 : size);
        case REFUSAL -> good.malloc(size > MAX_END ? 16 : size);
        case EXHAUSTION -> good.malloc(EXHAUSTING.contains(size) ? Long.MAX_VALUE : size);
        case CHURN -> {
          if (size != 32) {
            yield good.malloc(size);
          }
          shared = shared == 0 ? good.malloc(size) : shared;
          yield shared;
        }
        default -> good.malloc(size);
      };
    }

    @Override
    public long zalloc(long size) {
      return fault == Check.ZEROING ? good.malloc(size) : good.zalloc(size);
    }

    @Override
    public long alignedAlloc(long size, long alignment) {
      if (fault == Check.ALIGNMENT) {
        good.malloc(size);
        return good.malloc(size);
      }
      return good.alignedAlloc(size, alignment);
    }

    @Override
    public long realloc(long offset, long newSize) {
      long moved = good.realloc(offset, newSize);
      if (fault == Check.RESIZING) {
        memory.fill(moved, 1, (byte) 0);
      }
      return moved;
    }

    @Override
    public void free(long offset) {
      good.free(offset);
    }

    @Override
    public long usableSize(long offset) {
      long usable = good.usableSize(offset);
      return switch (fault) {
        case USABLE_SIZE -> usable + 48;
        case BOUNDS -> ++usableSizes > 64 ? 1L << 33 : usable;
        default -> usable;
      };
    }

    @Override
    public GuestStats stats() {
      return good.stats();
    }
  }
}
