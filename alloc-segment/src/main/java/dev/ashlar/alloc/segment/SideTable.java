// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;

/**
 * One byte of native memory for each {@code 2^n} bytes of an address space, away from the blocks it
 * describes.
 *
 * <p>The whole table can be read at any time; what was never written reads as zero. A part must be
 * committed before it is written. That a cleared part can still be read is owed to {@link
 * dev.ashlar.alloc.prim.Capabilities#decommitKeepsAccess()}.
 */
public final class SideTable {

  private final long spaceBase;
  private final int shift;
  private final long base;
  private final long osPage;

  /**
   * Reserves a table.
   *
   * @param memory the operating system
   * @param space the address space it describes
   * @param shift the binary logarithm of how many bytes of {@code space} one entry describes
   * @param skew how many bytes the first entry lies behind the beginning of an OS page
   * @throws VirtualMemoryException if the operating system refuses
   */
  public SideTable(VirtualMemory memory, AddressSpace space, int shift, int skew) {
    this.spaceBase = space.base();
    this.shift = shift;
    this.osPage = memory.osPageBytes();
    this.base =
        memory.reserve(pagesUpTo(skew + (space.bytes() >>> shift)), osPage, Access.READ) + skew;
  }

  /** Rounds up to a multiple of the OS page size. */
  private long pagesUpTo(long number) {
    return number + osPage - 1 & -osPage;
  }

  /**
   * Returns where this table begins.
   *
   * @return the address of the entry of the address space's first byte
   */
  public long base() {
    return base;
  }

  /**
   * Makes the entries of a range writable, and what else is in their OS pages.
   *
   * @param memory the operating system
   * @param address the beginning of the range that the entries describe
   * @param bytes the size in bytes of that range
   * @throws VirtualMemoryException if the operating system refuses
   */
  public void commit(VirtualMemory memory, long address, long bytes) {
    long from = entry(address) & -osPage;
    memory.commit(from, pagesUpTo(entry(address + bytes)) - from);
  }

  /**
   * Sets the entries of a range to zero and gives the memory of OS pages back that have no others.
   *
   * @param memory the operating system
   * @param address the beginning of the range that the entries describe, all committed
   * @param bytes the size in bytes of that range
   * @return false if the operating system refused to take the memory; the entries are zero all the
   *     same
   */
  public boolean clear(VirtualMemory memory, long address, long bytes) {
    long from = entry(address);
    long to = entry(address + bytes);
    long firstPage = pagesUpTo(from);
    long lastPage = to & -osPage;
    if (firstPage < lastPage) {
      try {
        memory.decommit(firstPage, lastPage - firstPage);
        RawMemory.fill(from, firstPage - from, (byte) 0);
        RawMemory.fill(lastPage, to - lastPage, (byte) 0);
        return true;
      } catch (VirtualMemoryException e) {
        // Below.
      }
    }
    RawMemory.fill(from, to - from, (byte) 0);
    return firstPage >= lastPage;
  }

  /**
   * Writes zeros to the entries of a range, which must be committed.
   *
   * @param address where the range begins
   * @param bytes its size
   */
  public void zero(long address, long bytes) {
    RawMemory.fill(entry(address), entry(address + bytes) - entry(address), (byte) 0);
  }

  private long entry(long address) {
    return base + (address - spaceBase >>> shift);
  }

  /**
   * Reads the entry of an address.
   *
   * @param address an address in the address space
   * @return the entry
   */
  public byte get(long address) {
    return RawMemory.getByte(entry(address));
  }

  /**
   * Writes the entry of an address, which must be committed.
   *
   * @param address an address in the address space
   * @param value the entry
   */
  public void put(long address, byte value) {
    RawMemory.putByte(entry(address), value);
  }
}
