// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What {@link VirtualMemory} promises, for the binding of any operating system, and for models of
 * them.
 */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public abstract class VirtualMemoryContract extends BackingContract {

  /** For subclasses. */
  protected VirtualMemoryContract() {}

  /** The OS page is a power of two of at least 4 KiB. */
  @Test
  public void theOsPageIsAPowerOfTwo() {
    assertThat(Long.bitCount(page)).isEqualTo(1);
    assertThat(page).isGreaterThanOrEqualTo(4_096);
  }

  /** A reserved range is aligned as asked and can be given back, with or without a commit. */
  @Test
  public void aReservedRangeIsAlignedAsAsked() {
    for (long alignment = page; alignment <= 1024 * MIB; alignment *= 2) {
      for (long bytes : new long[] {page, 3 * page, 64 * MIB}) {
        long address = memory.reserve(bytes, alignment, Access.NONE);
        assertThat(address).isNotZero();
        assertThat(address % alignment).as("%#x modulo %d", address, alignment).isZero();
        memory.commit(address + bytes - page, page);
        RawBytes.put(address + bytes - 1, (byte) 1);
        memory.release(address, bytes);
      }
    }
  }

  /** Ranges are disjoint while they are reserved. */
  @Test
  public void reservedRangesAreDisjoint() {
    long[] ranges = new long[50];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = memory.reserve(MIB, MIB, Access.NONE);
    }
    long[] sorted = ranges.clone();
    Arrays.sort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      assertThat(sorted[i] - sorted[i - 1]).isGreaterThanOrEqualTo(MIB);
    }
    for (long range : ranges) {
      memory.release(range, MIB);
    }
  }

  /** A range of many times the machine's memory can be reserved: it is not backed. */
  @Test
  public void reservingTakesNoMemory() {
    long bytes = 4L << 40;
    long address = memory.reserve(bytes, page, Access.NONE);
    memory.commit(address + bytes / 2, page);
    RawBytes.put(address + bytes / 2, (byte) 1);
    memory.release(address, bytes);
  }

  /** A range reserved for reading reads as zeros before it is committed. */
  @Test
  public void aReadableReservationReadsAsZeros() {
    long address = memory.reserve(MIB, page, Access.READ);
    assertThat(RawBytes.firstOtherThan(address, MIB, (byte) 0)).isEqualTo(-1);
    memory.commit(address, page);
    RawBytes.put(address, (byte) 1);
    assertThat(RawBytes.firstOtherThan(address + page, MIB - page, (byte) 0)).isEqualTo(-1);
    memory.release(address, MIB);
  }

  /** A new range cannot be writable: it must be committed for that. */
  @Test
  public void aReservationIsNotWritable() {
    assertThatThrownBy(() -> memory.reserve(MIB, page, Access.READ_WRITE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("READ_WRITE");
  }

  /** Granularities fit into each other, and reservations begin at the greater one. */
  @Test
  public void reservationsBeginAtTheAllocationGranularity() {
    long granularity = memory.allocationGranularityBytes();
    assertThat(Long.bitCount(granularity)).isEqualTo(1);
    assertThat(granularity).isGreaterThanOrEqualTo(page);
    for (int i = 0; i < 10; i++) {
      long address = memory.reserve(page, page, Access.NONE);
      assertThat(address % granularity).isZero();
      memory.release(address, page);
    }
    long large = memory.largePageBytes();
    if (large != 0) {
      assertThat(Long.bitCount(large)).isEqualTo(1);
      assertThat(large).isGreaterThan(page);
    }
  }

  /** What is not a range of OS pages is refused, by every operation, before a call is made. */
  @Test
  public void whatIsNoRangeIsRefused() {
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, MIB);
    RawBytes.fill(address, MIB, (byte) 5);
    long[][] wrong = {
      {address + 16, page},
      {address, page + 16},
      {address, 0},
      {address + page, -page},
      {-page, page},
      {address, Long.MAX_VALUE - page + 1}
    };
    for (long[] range : wrong) {
      for (RangeCall call : rangeCalls()) {
        assertThatThrownBy(() -> call.on(range[0], range[1]))
            .as("%#x, %d", range[0], range[1])
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
    for (long[] request :
        new long[][] {
          {0, page},
          {-page, page},
          {page + 1, page},
          {page, 0},
          {page, page / 2},
          {page, 3 * page},
          {page, -page},
          {1L << 62, 1L << 62}
        }) {
      assertThatThrownBy(() -> memory.reserve(request[0], request[1], Access.NONE))
          .as("%d, %d", request[0], request[1])
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> memory.reserveLarge(request[0], request[1]))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> memory.preferNode(address, page, 64))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(RawBytes.firstOtherThan(address, MIB, (byte) 5)).isEqualTo(-1);
    memory.release(address, MIB);
  }

  /** An operation on a range. */
  private interface RangeCall {
    void on(long address, long bytes);
  }

  /** Returns all operations on a range that this binding has. */
  private List<RangeCall> rangeCalls() {
    List<RangeCall> calls = new ArrayList<>();
    calls.add(memory::release);
    calls.add(memory::commit);
    calls.add(memory::commitLarge);
    calls.add(memory::populate);
    calls.add((address, bytes) -> memory.preferNode(address, bytes, 0));
    if (memory.capabilities().canDecommit()) {
      calls.add(memory::decommit);
    }
    if (memory.capabilities().canReset()) {
      calls.add(memory::reset);
    }
    if (memory.capabilities().canProtect()) {
      calls.add((address, bytes) -> memory.protect(address, bytes, Access.READ));
    }
    if (memory.capabilities().canRemap()) {
      calls.add((address, bytes) -> memory.remap(address, address + (64 * MIB), bytes));
    }
    return calls;
  }

  /** What the capabilities deny is not done. */
  @Test
  public void whatIsDeniedIsUnsupported() {
    Capabilities can = memory.capabilities();
    assertThat(memory.capabilities()).isEqualTo(can);
    long address = memory.reserve(2 * MIB, page, Access.NONE);
    memory.commit(address, MIB);
    RawBytes.fill(address, MIB, (byte) 5);
    assertDenied(can.canDecommit(), () -> memory.decommit(address, page));
    assertDenied(can.canReset(), () -> memory.reset(address, page));
    assertDenied(can.canProtect(), () -> memory.protect(address, page, Access.READ));
    assertDenied(can.canRemap(), () -> memory.remap(address, address + MIB, page));
    assertThat(can.growOnly()).isEqualTo(!can.canDecommit() && !can.canReset());
    memory.release(address, 2 * MIB);
  }

  private static void assertDenied(boolean can, ThrowingCallable call) {
    if (!can) {
      assertThatThrownBy(call).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  /** What the operating system cannot give is refused with its name for the error. */
  @Test
  public void anImpossibleReservationIsRefused() {
    VirtualMemoryException refusal =
        catchThrowableOfType(
            VirtualMemoryException.class, () -> memory.reserve(1L << 60, page, Access.NONE));
    assertThat(refusal).isNotNull();
    assertThat(refusal.errorName()).isNotBlank();
    assertThat(refusal).hasMessageContaining(refusal.errorName());
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.release(address, MIB);
  }

  /** The machine has some memory, and this process some of it. */
  @Test
  public void theMachineHasMemory() {
    ProcessMemory process = memory.processMemory();
    assertThat(memory.physicalMemoryBytes()).isGreaterThan(64 * MIB);
    assertThat(process.residentBytes()).isPositive().isLessThan(memory.physicalMemoryBytes());
    assertThat(process.peakResidentBytes()).isPositive();
    assertThat(memory.usableMemoryBytes()).isBetween(1L, memory.physicalMemoryBytes());
    assertThat(process.limitBytes()).isBetween(1L, memory.physicalMemoryBytes());
  }

  /** The clock never goes back. */
  @Test
  public void theClockIsMonotonic() {
    Clock clock = memory.clock();
    long start = clock.nanoTime();
    long last = 0;
    for (int i = 0; i < 10_000; i++) {
      long elapsed = clock.nanoTime() - start;
      assertThat(elapsed).isGreaterThanOrEqualTo(last);
      last = elapsed;
    }
    assertThat(last).isPositive();
  }

  /** Entropy fills arrays of any length, each time with other bytes. */
  @Test
  public void entropyFillsArraysOfAnyLength() {
    memory.entropy().fill(new byte[0]);
    byte[] first = new byte[1_000];
    byte[] second = new byte[1_000];
    memory.entropy().fill(first);
    memory.entropy().fill(second);
    assertThat(first).isNotEqualTo(second);
    // A run of 32 equal bytes does not happen by chance: the end of an array is filled too.
    assertThat(Arrays.copyOfRange(first, 968, 1_000)).isNotEqualTo(new byte[32]);
  }

  /** Ranges may be used by many threads at once. */
  @Test
  public void manyThreadsMayCall() {
    Crew.together(
        4,
        index -> {
          for (int i = 0; i < 50; i++) {
            long address = memory.reserve(MIB, 2 * MIB, Access.NONE);
            memory.commit(address, MIB);
            Canary.FULL.paint(address, MIB, index);
            assertThat(Canary.FULL.firstDamage(address, MIB, MIB, index)).isEqualTo(-1);
            if (memory.capabilities().canDecommit()) {
              memory.decommit(address, MIB);
            }
            memory.release(address, MIB);
          }
        });
  }
}
