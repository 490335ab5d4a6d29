// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.BitSet;

/**
 * A reservation of address space that is handed out in runs of equal units.
 *
 * <p>Runs are taken first fit from the lowest address, so that a process that needs little touches
 * little. Safe for use by many threads at once.
 */
public final class AddressSpace {

  /** What {@link #take} returns when no run is free. */
  public static final long NO_RUN = -1;

  private final long base;
  private final long bytes;
  private final int unitShift;
  private final int units;
  private final BitSet taken;

  private AddressSpace(long base, long bytes, int unitShift) {
    this.base = base;
    this.bytes = bytes;
    this.unitShift = unitShift;
    this.units = Math.toIntExact(bytes >>> unitShift);
    this.taken = new BitSet(units);
  }

  /**
   * Reserves address space, halving the size each time the operating system refuses.
   *
   * @param memory the operating system
   * @param wanted the size to try first in bytes, a power of two
   * @param least the least size in bytes that is of use, a power of two and a multiple of the unit
   * @param unitBytes the size of a unit in bytes, a power of two
   * @param alignment the alignment in bytes of the beginning, a power of two; at most that of the
   *     size and at least that of the unit are asked for
   * @param access what the range may be used for before it is committed
   * @return the reservation
   * @throws VirtualMemoryException if the operating system refuses even the least size
   */
  public static AddressSpace reserve(
      VirtualMemory memory,
      long wanted,
      long least,
      long unitBytes,
      long alignment,
      Access access) {
    int unitShift = Long.numberOfTrailingZeros(unitBytes);
    long size = Math.max(wanted, least);
    while (true) {
      try {
        long align = Math.clamp(alignment, unitBytes, Math.max(size, unitBytes));
        return new AddressSpace(memory.reserve(size, align, access), size, unitShift);
      } catch (VirtualMemoryException e) {
        if (size == least) {
          throw e;
        }
        size >>>= 1;
      }
    }
  }

  /**
   * Returns where this address space begins.
   *
   * @return the address
   */
  public long base() {
    return base;
  }

  /**
   * Returns how large this address space is.
   *
   * @return the size in bytes, a power of two
   */
  public long bytes() {
    return bytes;
  }

  /**
   * Tells whether an address lies in this address space.
   *
   * @param address any number
   * @return true if it does
   */
  public boolean contains(long address) {
    return Long.compareUnsigned(address - base, bytes) < 0;
  }

  /**
   * Takes a run of units.
   *
   * @param count how many units, positive
   * @param alignment the alignment in bytes of the run's beginning, a power of two
   * @return the address of the run, or {@link #NO_RUN}
   */
  public synchronized long take(long count, long alignment) {
    if (count > units) {
      return NO_RUN;
    }
    int from = 0;
    while (true) {
      from = taken.nextClearBit(from);
      long address = base + ((long) from << unitShift) + alignment - 1 & -alignment;
      long first = address - base >>> unitShift;
      if (first + count > units) {
        return NO_RUN;
      }
      int obstacle = taken.nextSetBit((int) first);
      if (obstacle < 0 || obstacle >= first + count) {
        taken.set((int) first, (int) (first + count));
        return address;
      }
      from = obstacle + 1;
    }
  }

  /**
   * Gives a run back.
   *
   * @param address what {@link #take} returned
   * @param count how many units
   */
  public synchronized void give(long address, long count) {
    int first = (int) (address - base >>> unitShift);
    taken.clear(first, Math.toIntExact(first + count));
  }

  /**
   * Returns how many bytes of this address space are handed out.
   *
   * @return the size in bytes
   */
  public synchronized long takenBytes() {
    return (long) taken.cardinality() << unitShift;
  }
}
