// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.MemoryMisuseException.Kind;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * Runs random programs on an allocator and keeps beside it what must be live: every block by its
 * offset, filled with bytes of its own, and the figures.
 */
class GuestModel {

  /** Of a larger block, only this much at either end is filled and compared. */
  private static final long EDGE = 2048;

  /** A live block. */
  record Block(long size, long usable, byte paint) {}

  final NativeLinearMemory memory;
  final GuestAllocator allocator;
  final Random random;
  final NavigableMap<Long, Block> live = new TreeMap<>();
  private final long base;
  private final long greatest;
  private byte paint;
  private long liveBytes;
  private long peakBytes;
  private long cumulativeBytes;

  GuestModel(
      NativeLinearMemory memory, GuestAllocator allocator, long base, long greatest, long seed) {
    this.memory = memory;
    this.allocator = allocator;
    this.base = base;
    this.greatest = greatest;
    this.random = new Random(seed);
  }

  /** Runs a program, then compares everything and frees what is left. */
  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      step();
      checkFigures();
    }
    live.forEach(this::verify);
    for (long offset : List.copyOf(live.keySet())) {
      allocator.free(offset);
      forget(offset);
    }
    checkFigures();
  }

  void step() {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> allocate();
      case 4 -> allocateZeroed();
      case 5 -> allocateAligned();
      case 6, 7 -> reallocate();
      case 8, 9, 10 -> free();
      default -> misuse();
    }
  }

  private long size() {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextLong(4);
      case 1, 2, 3 -> random.nextLong(200);
      case 4, 5 -> random.nextLong(5000);
      case 6 -> random.nextLong(greatest / 8 + 1);
      default -> random.nextLong(greatest + 1);
    };
  }

  private void allocate() {
    long size = size();
    attempt(size, () -> allocator.malloc(size), 16);
  }

  private void allocateZeroed() {
    long size = size();
    long offset = attempt(size, () -> allocator.zalloc(size), 16, false);
    if (offset != 0) {
      MemorySegment block = memory.segment().asSlice(offset, size);
      assertThat(block.mismatch(MemorySegment.ofArray(new byte[(int) size])))
          .as("first byte of the zeroed block of %s at %s that is not zero", size, offset)
          .isEqualTo(-1);
      enter(offset, size, 16);
    }
  }

  private void allocateAligned() {
    long size = size();
    long alignment = 1L << random.nextInt(18);
    attempt(size, () -> allocator.alignedAlloc(size, alignment), alignment);
  }

  private interface Request {
    long make();
  }

  private void attempt(long size, Request request, long alignment) {
    attempt(size, request, alignment, true);
  }

  private long attempt(long size, Request request, long alignment, boolean enters) {
    GuestStats before = allocator.stats();
    int pages = memory.pages();
    try {
      long offset = request.make();
      if (enters) {
        enter(offset, size, alignment);
      }
      assertThat((long) memory.pages() - pages << 16)
          .as("growth for %s bytes at alignment %s", size, alignment)
          .isLessThanOrEqualTo(size + alignment + 3 * LinearMemory.PAGE_BYTES / 2);
      return offset;
    } catch (NativeMemoryExhaustedError e) {
      assertThat(allocator.stats()).as("figures after a refusal").isEqualTo(before);
      assertThat(memory.pages()).as("size after a refusal").isEqualTo(pages);
      assertThat(e.live()).isEqualTo(liveBytes);
      assertThat(e.getCause())
          .isInstanceOfSatisfying(
              GrowthRefusedException.class, r -> assertThat(r.stats()).isEqualTo(before));
      return 0;
    }
  }

  void enter(long offset, long size, long alignment) {
    long usable = allocator.usableSize(offset);
    assertThat(usable).as("usable size").isGreaterThanOrEqualTo(size);
    assertThat(offset).as("offset").isGreaterThanOrEqualTo(base).isNotZero();
    assertThat(offset % Math.max(alignment, 16)).as("alignment of %s", offset).isZero();
    assertThat(offset + usable)
        .as("end of the block")
        .isLessThanOrEqualTo(Math.min((long) memory.pages() << 16, GuestAllocator.MAX_END));
    var below = live.floorEntry(offset);
    if (below != null) {
      assertThat(below.getKey() + below.getValue().usable())
          .as("end of the block below")
          .isLessThanOrEqualTo(offset);
    }
    Long above = live.higherKey(offset);
    if (above != null) {
      assertThat(offset + usable).as("end before the next block").isLessThanOrEqualTo(above);
    }
    Block block = new Block(size, usable, ++paint);
    live.put(offset, block);
    fill(offset, block);
    liveBytes += usable;
    cumulativeBytes += usable;
    peakBytes = Math.max(peakBytes, liveBytes);
  }

  private void fill(long offset, Block block) {
    MemorySegment all = memory.segment();
    long edge = Math.min(block.usable(), EDGE);
    all.asSlice(offset, edge).fill(block.paint());
    all.asSlice(offset + block.usable() - edge, edge).fill(block.paint());
  }

  private void verify(long offset, Block block) {
    verify(offset, block, block.usable());
    long edge = Math.min(block.usable(), EDGE);
    compare(offset + block.usable() - edge, edge, block.paint());
  }

  /** Compares the beginning of a block, wherever it is. */
  private void verify(long offset, Block block, long kept) {
    compare(offset, Math.min(Math.min(kept, block.usable()), EDGE), block.paint());
  }

  private void compare(long from, long bytes, byte paint) {
    MemorySegment all = memory.segment();
    for (long at = from; at < from + bytes; at++) {
      if (all.get(ValueLayout.JAVA_BYTE, at) != paint) {
        throw new AssertionError("the byte at " + at + " was changed");
      }
    }
  }

  private long anyBlock() {
    List<Long> offsets = new ArrayList<>(live.keySet());
    return offsets.get(random.nextInt(offsets.size()));
  }

  private void reallocate() {
    if (live.isEmpty()) {
      return;
    }
    long offset = random.nextBoolean() ? live.lastKey() : anyBlock();
    Block old = live.get(offset);
    long size = random.nextBoolean() ? size() : old.size() + random.nextLong(100);
    verify(offset, old);
    long moved = attempt(size, () -> allocator.realloc(offset, size), 16, false);
    if (moved == 0) {
      verify(offset, old);
      return;
    }
    verify(moved, old, size);
    long cumulative = cumulativeBytes;
    long peak = peakBytes;
    forget(offset);
    enter(moved, size, 16);
    long usable = live.get(moved).usable();
    boolean inPlace = moved == offset;
    cumulativeBytes = cumulative + (inPlace ? Math.max(usable - old.usable(), 0) : usable);
    // A block that moves is there twice for a moment.
    peakBytes = Math.max(peak, liveBytes + (inPlace ? 0 : old.usable()));
  }

  private void free() {
    if (live.isEmpty()) {
      return;
    }
    long offset = anyBlock();
    verify(offset, live.get(offset));
    allocator.free(offset);
    forget(offset);
    assertThatThrownBy(() -> allocator.free(offset))
        .isInstanceOfSatisfying(
            MemoryMisuseException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DOUBLE_FREE));
  }

  /** Takes note that a block is gone. */
  final void forget(long offset) {
    liveBytes -= live.remove(offset).usable();
  }

  private void misuse() {
    GuestStats before = allocator.stats();
    allocator.free(0);
    for (long bad : new long[] {-1, 8, base - 8, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertMisuse(bad, Kind.FOREIGN);
    }
    if (!live.isEmpty()) {
      long offset = anyBlock();
      long usable = live.get(offset).usable();
      assertMisuse(offset + 1 + random.nextLong(usable - 1), Kind.INTERIOR);
      if (usable > 16) {
        assertMisuse(offset + 16, Kind.INTERIOR);
      }
    }
    assertThat(allocator.stats()).isEqualTo(before);
  }

  private void assertMisuse(long offset, Kind kind) {
    assertThatThrownBy(() -> allocator.free(offset))
        .as("free of %s", offset)
        .isInstanceOfSatisfying(
            MemoryMisuseException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    assertThatThrownBy(() -> allocator.usableSize(offset))
        .isInstanceOf(MemoryMisuseException.class);
  }

  private void checkFigures() {
    GuestStats stats = allocator.stats();
    assertThat(stats.liveBytes()).as("live bytes").isEqualTo(liveBytes);
    assertThat(stats.cumulativeBytes()).as("cumulative bytes").isEqualTo(cumulativeBytes);
    assertThat(stats.peakBytes()).as("peak bytes").isEqualTo(peakBytes);
    assertThat(stats.memoryPages()).isEqualTo(memory.pages());
    if (!live.isEmpty()) {
      long end = live.lastKey() + live.lastEntry().getValue().usable();
      assertThat((long) stats.touchedPages() << 16).isGreaterThanOrEqualTo(end);
    }
    assertThat(stats.touchedPages()).isLessThanOrEqualTo(stats.memoryPages());
  }
}
