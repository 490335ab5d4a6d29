// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@link VirtualMemory} promises, for the binding of any operating system. */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public abstract class VirtualMemoryContract {

  private static final long MIB = 1L << 20;

  private VirtualMemory memory;
  private long page;

  /** For subclasses. */
  protected VirtualMemoryContract() {}

  /**
   * Returns the binding under test. It is called before each test.
   *
   * @return a binding that fits this machine
   */
  protected abstract VirtualMemory memory();

  /** Gets the binding of one test. */
  @BeforeEach
  public final void bind() {
    memory = memory();
    page = memory.osPageBytes();
  }

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
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Committed memory is zero at first, and committing again keeps what was written. */
  @Test
  public void committedMemoryIsZeroAndKeepsItsContents() {
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, MIB / 2);
    assertThat(RawBytes.firstOtherThan(address, MIB / 2, (byte) 0)).isEqualTo(-1);
    Canary.FULL.paint(address, MIB / 2, 1);
    memory.commit(address, MIB);
    assertThat(Canary.FULL.firstDamage(address, MIB / 2, MIB / 2, 1)).isEqualTo(-1);
    assertThat(RawBytes.firstOtherThan(address + MIB / 2, MIB / 2, (byte) 0)).isEqualTo(-1);
    memory.release(address, MIB);
  }

  /** Decommitting loses the contents of exactly that part. */
  @Test
  public void decommittedMemoryIsZeroWhenCommittedAgain() {
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, MIB);
    RawBytes.fill(address, MIB, (byte) 7);
    memory.decommit(address + page, MIB - 2 * page);
    assertThat(RawBytes.firstOtherThan(address, page, (byte) 7)).isEqualTo(-1);
    assertThat(RawBytes.firstOtherThan(address + MIB - page, page, (byte) 7)).isEqualTo(-1);
    if (memory.capabilities().decommitKeepsAccess()) {
      assertThat(RawBytes.firstOtherThan(address + page, MIB - 2 * page, (byte) 0)).isEqualTo(-1);
    }
    memory.commit(address + page, MIB - 2 * page);
    assertThat(RawBytes.firstOtherThan(address + page, MIB - 2 * page, (byte) 0)).isEqualTo(-1);
    RawBytes.fill(address, MIB, (byte) 8);
    memory.release(address, MIB);
  }

  /** Protecting keeps the contents, and what is readable can still be read. */
  @Test
  public void protectedMemoryKeepsItsContents() {
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, MIB);
    Canary.FULL.paint(address, MIB, 3);
    memory.protect(address, page, Access.READ);
    memory.protect(address + page, page, Access.NONE);
    assertThat(Canary.FULL.firstDamage(address, page, MIB, 3)).isEqualTo(-1);
    memory.protect(address, 2 * page, Access.READ_WRITE);
    assertThat(Canary.FULL.firstDamage(address, MIB, MIB, 3)).isEqualTo(-1);
    RawBytes.fill(address, MIB, (byte) 8);
    memory.release(address, MIB);
  }

  /** What is touched becomes resident, and stops being so when it is decommitted. */
  @Test
  public void residentMemoryFollowsWhatIsTouchedAndDecommitted() {
    long bytes = 256 * MIB;
    long address = memory.reserve(bytes, page, Access.NONE);
    memory.commit(address, bytes);
    long before = memory.processMemory().residentBytes();
    RawBytes.fill(address, bytes, (byte) 1);
    ProcessMemory touched = memory.processMemory();
    memory.decommit(address, bytes);
    long after = memory.processMemory().residentBytes();
    memory.release(address, bytes);
    // Other parts of this process move by far less than half of the range.
    assertThat(touched.residentBytes() - before).isGreaterThan(bytes / 2);
    assertThat(touched.residentBytes() - after).isGreaterThan(bytes / 2);
    assertThat(touched.peakResidentBytes()).isGreaterThan(bytes / 2);
  }

  /** What the operating system cannot give is refused with its name for the error. */
  @Test
  public void anImpossibleReservationIsRefused() {
    VirtualMemoryException refusal =
        catchThrowableOfType(
            VirtualMemoryException.class, () -> memory.reserve(1L << 60, page, Access.NONE));
    assertThat(refusal).isNotNull();
    assertThat(refusal.errorName()).isNotBlank();
    assertThat(refusal)
        .hasMessageContaining(refusal.errorName())
        .hasMessageContaining(Long.toString(1L << 60));
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
            memory.decommit(address, MIB);
            memory.release(address, MIB);
          }
        });
  }
}
