// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.HashMap;
import java.util.Map;

/**
 * An operating system that gives only what it has: what is committed, or already what is reserved,
 * counts against a limit, touched or not. What is used against the contract is an {@link
 * AssertionError}. Safe for use by many threads at once.
 */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public final class StrictCommitModel extends TrackedMemory {

  private final long limitBytes;
  private final boolean chargesReservations;
  private final Map<Long, Long> reservations = new HashMap<>();
  private long chargedBytes;
  private long committedBytes;

  /**
   * Makes an operating system.
   *
   * @param real what carries out the calls
   * @param limitBytes how much it gives at most
   * @param chargesReservations whether a reservation counts as a whole, and what is committed of it
   *     no more then
   */
  public StrictCommitModel(VirtualMemory real, long limitBytes, boolean chargesReservations) {
    super(real);
    this.limitBytes = limitBytes;
    this.chargesReservations = chargesReservations;
  }

  /**
   * Returns how much counts against the limit.
   *
   * @return the size in bytes
   */
  public synchronized long chargedBytes() {
    return chargedBytes;
  }

  private void charge(String call, long address, long bytes) {
    if (bytes > limitBytes - chargedBytes) {
      throw new VirtualMemoryException(call, address, bytes, "ENOMEM");
    }
    chargedBytes += bytes;
  }

  @Override
  public synchronized long reserve(long bytes, long alignment, Access access) {
    if (!chargesReservations) {
      return super.reserve(bytes, alignment, access);
    }
    if (bytes > limitBytes) {
      throw new VirtualMemoryException("reserve", 0, bytes, "ENOMEM");
    }
    long address = super.reserve(bytes, alignment, access);
    try {
      charge("reserve", 0, bytes);
    } catch (VirtualMemoryException e) {
      super.release(address, bytes);
      throw e;
    }
    reservations.put(address, bytes);
    return address;
  }

  @Override
  public synchronized void release(long address, long bytes) {
    super.release(address, bytes);
    if (reservations.remove(address) != null) {
      chargedBytes -= bytes;
    }
  }

  @Override
  void admitCommit(long address, long bytes, long more) {
    if (!chargesReservations) {
      charge("commit", address, more);
    }
    committedBytes += more;
  }

  @Override
  void leaveCommit(long bytes) {
    committedBytes -= bytes;
    chargedBytes -= chargesReservations ? 0 : bytes;
  }

  @Override
  public Capabilities capabilities() {
    Capabilities can = super.capabilities();
    return new Capabilities(
        can.decommitKeepsAccess(),
        false,
        can.canDecommit(),
        can.canReset(),
        can.canProtect(),
        can.canRemap());
  }

  @Override
  public synchronized ProcessMemory processMemory() {
    ProcessMemory process = super.processMemory();
    return new ProcessMemory(
        process.residentBytes(), process.peakResidentBytes(), committedBytes, process.limitBytes());
  }
}
