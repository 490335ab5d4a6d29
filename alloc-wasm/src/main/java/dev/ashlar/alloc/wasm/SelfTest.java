// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Tells in a moment whether an allocator works where it runs: each thing that can be wrong has a
 * code of its own.
 *
 * <p>It is to be run on a new allocator over a memory that may grow by at least 2 MiB, and leaves
 * that memory exhausted.
 */
public final class SelfTest {

  /** What is checked, in this order. */
  public enum Check {
    /** A block has the bytes that were written to it after all others were written. */
    CONTENTS(1),
    /** A block can hold what was asked for, and as much as it says. */
    USABLE_SIZE(2),
    /** A zeroed block holds zeros, also where memory is reused. */
    ZEROING(3),
    /** A block that is resized keeps its first bytes. */
    RESIZING(4),
    /** A block of 600 KB can be had and used to its ends. */
    LARGE_BLOCK(5),
    /** Blocks of 32 bytes can be freed and made again 200 times without damage to others. */
    CHURN(6),
    /** Blocks begin at multiples of the alignment asked for, and of 16. */
    ALIGNMENT(7),
    /** Blocks lie in the memory, and end at or before the greatest offset. */
    BOUNDS(8),
    /** A request that no memory can hold is refused and changes nothing. */
    REFUSAL(9),
    /** Memory can be used up to its maximum; then a request is refused and no block is damaged. */
    EXHAUSTION(10);

    private final int code;

    Check(int code) {
      this.code = code;
    }

    /**
     * Returns what stands for this check where only a number can be passed on.
     *
     * @return the code, positive and different from all others
     */
    public int code() {
      return code;
    }
  }

  private static final int BLOCKS = 64;
  private static final long LARGE_BYTES = 600_000;

  private final NativeLinearMemory memory;
  private final GuestAllocator allocator;
  private final long[] blocks = new long[BLOCKS];

  private SelfTest(NativeLinearMemory memory, GuestAllocator allocator) {
    this.memory = memory;
    this.allocator = allocator;
  }

  /**
   * Checks an allocator.
   *
   * @param memory the memory it is over
   * @param allocator the allocator
   * @return the first check that failed, or empty if all is well
   */
  public static Optional<Check> run(NativeLinearMemory memory, GuestAllocator allocator) {
    SelfTest test = new SelfTest(memory, allocator);
    for (Check check : Check.values()) {
      boolean passed;
      try {
        passed = test.passes(check);
      } catch (RuntimeException | NativeMemoryExhaustedError e) {
        passed = false;
      }
      if (!passed) {
        return Optional.of(check);
      }
    }
    return Optional.empty();
  }

  private boolean passes(Check check) {
    return switch (check) {
      case CONTENTS -> keepsContents();
      case USABLE_SIZE -> tellsUsableSizes();
      case ZEROING -> zeroes();
      case RESIZING -> keepsWhatItResizes();
      case LARGE_BLOCK -> makesLargeBlock();
      case CHURN -> churns();
      case ALIGNMENT -> aligns();
      case BOUNDS -> staysInBounds();
      case REFUSAL -> refuses();
      case EXHAUSTION -> exhausts();
    };
  }

  private boolean keepsContents() {
    for (int i = 0; i < BLOCKS; i++) {
      blocks[i] = allocator.malloc(sizeOf(i));
      paint(blocks[i], sizeOf(i), i);
    }
    return contentsAreKept();
  }

  private boolean contentsAreKept() {
    boolean kept = true;
    for (int i = 0; i < BLOCKS; i++) {
      kept &= isPainted(blocks[i], sizeOf(i), i);
    }
    return kept;
  }

  private static long sizeOf(int block) {
    return 1 + 37L * block * (block % 5 + 1);
  }

  private boolean tellsUsableSizes() {
    boolean enough = true;
    for (int i = 0; i < BLOCKS; i++) {
      long usable = allocator.usableSize(blocks[i]);
      enough &= usable >= sizeOf(i);
      paint(blocks[i], usable, i);
    }
    return enough && contentsAreKept();
  }

  private boolean zeroes() {
    boolean zero = true;
    for (int round = 0; round < 3; round++) {
      long small = allocator.zalloc(200);
      long large = allocator.calloc(300, 100);
      zero &= isFilled(small, 200, (byte) 0) && isFilled(large, 30_000, (byte) 0);
      paint(small, 200, 1);
      paint(large, 30_000, 2);
      allocator.free(large);
      allocator.free(small);
    }
    return zero;
  }

  private boolean keepsWhatItResizes() {
    long block = allocator.malloc(100);
    paint(block, 100, 3);
    boolean kept = true;
    for (long size : new long[] {120, 5_000, 40_000, 100}) {
      block = allocator.realloc(block, size);
      kept &= isPainted(block, 100, 3);
      allocator.malloc(16);
    }
    allocator.free(block);
    return kept && contentsAreKept();
  }

  private boolean makesLargeBlock() {
    long block = allocator.malloc(LARGE_BYTES);
    paint(block, LARGE_BYTES, 4);
    boolean good = isPainted(block, LARGE_BYTES, 4) && contentsAreKept();
    allocator.free(block);
    return good;
  }

  private boolean churns() {
    boolean good = true;
    long kept = allocator.malloc(32);
    paint(kept, 32, 5);
    for (int i = 0; i < 200; i++) {
      long block = allocator.malloc(32);
      paint(block, 32, i);
      good &= isPainted(block, 32, i) && isPainted(kept, 32, 5);
      allocator.free(block);
    }
    allocator.free(kept);
    return good;
  }

  private boolean aligns() {
    boolean aligned = true;
    for (long alignment = 1; alignment <= 1 << 15; alignment <<= 1) {
      long block = allocator.alignedAlloc(24, alignment);
      aligned &= block % Math.max(alignment, GuestAllocator.MIN_ALIGNMENT) == 0;
      allocator.free(block);
    }
    for (long block : blocks) {
      aligned &= block % GuestAllocator.MIN_ALIGNMENT == 0;
    }
    return aligned;
  }

  private boolean staysInBounds() {
    boolean inside = true;
    for (long block : blocks) {
      inside &= block > 0 && isInside(block);
    }
    return inside;
  }

  private boolean isInside(long block) {
    long end = block + allocator.usableSize(block);
    return end
        <= Math.min((long) memory.pages() << LinearMemory.PAGE_SHIFT, GuestAllocator.MAX_END);
  }

  private boolean refuses() {
    GuestStats before = allocator.stats();
    boolean refused = true;
    for (long size :
        new long[] {(1L << 32) - 15, (long) memory.maximumPages() << 16, Long.MAX_VALUE}) {
      refused &= isRefused(size);
    }
    return refused && allocator.stats().equals(before) && contentsAreKept();
  }

  private boolean isRefused(long size) {
    try {
      allocator.malloc(size);
      return false;
    } catch (NativeMemoryExhaustedError e) {
      return true;
    }
  }

  private boolean exhausts() {
    boolean inside = true;
    for (long size = 1 << 16; size >= 1_024; size >>= 2) {
      try {
        while (true) {
          inside &= isInside(allocator.malloc(size));
        }
      } catch (NativeMemoryExhaustedError e) {
        inside &= contentsAreKept();
      }
    }
    return inside && memory.pages() == memory.maximumPages();
  }

  // ---- bytes

  private void paint(long offset, long bytes, int seed) {
    memory.segment().asSlice(offset, bytes).fill((byte) (seed * 31 + 7));
  }

  private boolean isPainted(long offset, long bytes, int seed) {
    return isFilled(offset, bytes, (byte) (seed * 31 + 7));
  }

  private boolean isFilled(long offset, long bytes, byte value) {
    MemorySegment block = memory.segment().asSlice(offset, bytes);
    // Each byte is compared with the next, and the first with the value.
    return block.get(JAVA_BYTE, 0) == value
        && block.asSlice(1).mismatch(block.asSlice(0, bytes - 1)) == -1;
  }
}
