// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.MemoryMisuseException.Kind;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.testkit.Operation.Refusal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/** Calls that an allocator must refuse, each with the throwable that it must be refused with. */
final class WrongCalls {

  private final Allocator allocator;
  private final RawAllocator raw;
  private final MemorySegment foreign = Arena.ofAuto().allocate(64, 16);

  WrongCalls(Allocator allocator) {
    this.allocator = allocator;
    this.raw = allocator.raw();
  }

  /** Frees a live block twice, and hands it in for everything else afterwards. */
  void freeTwice(long address) {
    long reserved = allocator.stats().reservedBytes();
    raw.free(address);
    // An allocator that gave the address space back may have forgotten that a block was there.
    boolean gone = allocator.stats().reservedBytes() < reserved;
    handIn(
        gone ? EnumSet.of(Kind.DOUBLE_FREE, Kind.FOREIGN) : EnumSet.of(Kind.DOUBLE_FREE), address);
  }

  /** Hands in an address inside a live block. */
  void inside(long address) {
    handIn(EnumSet.of(Kind.INTERIOR), address);
  }

  /** Hands in an address of no allocator, made from any number. */
  void foreign(long number) {
    EnumSet<Kind> kinds = EnumSet.of(Kind.FOREIGN);
    handIn(kinds, 1 + (number & 0xFFFF));
    handIn(kinds, number | Long.MIN_VALUE);
    handIn(kinds, (number >>> 1) | 1L << 62);
    handIn(kinds, foreign.address() + (number & 63));
  }

  private void handIn(EnumSet<Kind> kinds, long address) {
    MemorySegment segment = MemorySegment.ofAddress(address);
    // A segment of no allocator's scope may be called that of an arena.
    EnumSet<Kind> bySegment = EnumSet.copyOf(kinds);
    if (kinds.contains(Kind.INTERIOR)) {
      bySegment.add(Kind.MISMATCHED);
    }
    expectMisuse(kinds, address, () -> raw.free(address));
    expectMisuse(kinds, address, () -> raw.realloc(address, 100));
    expectMisuse(kinds, address, () -> raw.alignedRealloc(address, 100, 64));
    expectMisuse(kinds, address, () -> raw.usableSize(address));
    expectMisuse(bySegment, address, () -> allocator.free(segment));
    expectMisuse(bySegment, address, () -> allocator.reallocate(segment, 100));
    if (raw.owns(address) || allocator.owns(segment)) {
      throw new AssertionError("owns %#x, which is %s".formatted(address, kinds));
    }
  }

  private static void expectMisuse(EnumSet<Kind> kinds, long address, Runnable call) {
    try {
      call.run();
    } catch (MemoryMisuseException misuse) {
      if (kinds.contains(misuse.kind()) && misuse.address() == address) {
        return;
      }
      throw new AssertionError("expected " + kinds + " of " + Long.toHexString(address), misuse);
    }
    throw new AssertionError("%#x was taken, which is %s".formatted(address, kinds));
  }

  /** Asks for what is refused whatever the state; {@code address} is a live block or 0. */
  void refused(Refusal what, long address) {
    switch (what) {
      case NEGATIVE_SIZE -> {
        expect(IllegalArgumentException.class, () -> raw.malloc(-1));
        expect(IllegalArgumentException.class, () -> raw.realloc(address, Long.MIN_VALUE));
        expect(IllegalArgumentException.class, () -> allocator.allocate(-8, 8));
      }
      case BAD_ALIGNMENT -> {
        expect(IllegalArgumentException.class, () -> raw.alignedAlloc(64, 24));
        expect(IllegalArgumentException.class, () -> raw.alignedRealloc(address, 64, 0));
        expect(IllegalArgumentException.class, () -> allocator.allocate(64, Long.MIN_VALUE));
        expect(IllegalArgumentException.class, () -> allocator.allocateZeroed(64, 1L << 31));
      }
      case IMPOSSIBLE_SIZE -> {
        expect(NativeMemoryExhaustedError.class, () -> raw.malloc(Long.MAX_VALUE));
        expect(NativeMemoryExhaustedError.class, () -> raw.realloc(address, Long.MAX_VALUE - 63));
        expect(NativeMemoryExhaustedError.class, () -> raw.alignedAlloc(1L << 60, 1L << 20));
        if (allocator.tryAllocate(Long.MAX_VALUE / 2 + 1).isPresent()) {
          throw new AssertionError("a segment of 2^62 bytes");
        }
      }
      case WRAPPING_PRODUCT -> {
        expect(NativeMemoryExhaustedError.class, () -> raw.calloc((1L << 62) + 1, 4));
        expect(NativeMemoryExhaustedError.class, () -> raw.calloc(3, Long.MAX_VALUE));
      }
    }
  }

  private static void expect(Class<? extends Throwable> kind, Runnable call) {
    try {
      call.run();
    } catch (IllegalArgumentException | NativeMemoryExhaustedError refusal) {
      if (kind.isInstance(refusal)) {
        return;
      }
      throw new AssertionError("expected " + kind.getSimpleName(), refusal);
    }
    throw new AssertionError("accepted what calls for " + kind.getSimpleName());
  }
}
