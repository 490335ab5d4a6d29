// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static dev.ashlar.alloc.prim.windows.WindowsConstants.ERROR_COMMITMENT_LIMIT;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.ERROR_INVALID_ADDRESS;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.ERROR_NOT_ENOUGH_MEMORY;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.ERROR_PRIVILEGE_NOT_HELD;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.MEM_COMMIT;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.MEM_DECOMMIT;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.MEM_LARGE_PAGES;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.MEM_RELEASE;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.MEM_RESERVE;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.MEM_RESET;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.PAGE_NOACCESS;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.PAGE_READONLY;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.PAGE_READWRITE;
import static dev.ashlar.alloc.prim.windows.WindowsConstants.errorName;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import dev.ashlar.alloc.prim.windows.WindowsCalls;
import java.util.HashMap;
import java.util.Map;

/**
 * Windows's rules over the memory of another operating system: the calls of its binding, not the
 * binding, so that the binding itself is tried as well.
 *
 * <p>Committing takes from a limit, which refuses. Memory that is not committed faults.
 * Reservations begin at multiples of 64 KiB and are released whole. Every other page that is reset
 * loses its contents at once. Safe for use by many threads at once.
 */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public final class WindowsModel implements WindowsCalls, MemoryModel, AutoCloseable {

  private static final long PAGE = 4_096;
  private static final long GRANULARITY = 65_536;
  private static final long LARGE_PAGE = 2L << 20;

  private final VirtualMemory real;
  private final ModelSpace space;
  private final boolean canAlign;
  private final Map<Long, Integer> protections = new HashMap<>();
  private final RangeMap<Integer> committed = new RangeMap<>();
  private final RangeMap<Boolean> reset = new RangeMap<>();
  private long commitLimit = Long.MAX_VALUE;
  private long commitBytes;
  private long largePagesLeft;
  private int thefts;

  /**
   * Makes a system in which nothing is reserved.
   *
   * @param real whose memory it uses
   * @param canAlign whether it has {@code VirtualAlloc2}
   */
  public WindowsModel(VirtualMemory real, boolean canAlign) {
    this.real = real;
    this.canAlign = canAlign;
    this.space = new ModelSpace(real, GRANULARITY);
  }

  /**
   * Limits how much can be committed.
   *
   * @param bytes the limit in bytes
   */
  public synchronized void limitCommit(long bytes) {
    commitLimit = bytes;
  }

  /**
   * Sets how many bytes of large pages there are. At first there are none, as for a process without
   * the privilege.
   *
   * @param bytes the size in bytes
   */
  public synchronized void provideLargePages(long bytes) {
    largePagesLeft = bytes;
  }

  /**
   * Lets another thread of the process take the address that is released next, and so often again.
   *
   * @param times how often
   */
  public synchronized void stealReleasedAddresses(int times) {
    thefts = times;
  }

  /**
   * Returns how much is committed.
   *
   * @return the commit charge in bytes
   */
  public synchronized long commitBytes() {
    return commitBytes;
  }

  // ---- allocating

  @Override
  public synchronized long virtualAlloc(long address, long bytes, int type, int protection) {
    require(bytes > 0 && bytes % PAGE == 0, "VirtualAlloc of %d bytes", bytes);
    require(address % PAGE == 0, "VirtualAlloc at %#x", address);
    if ((type & MEM_RESERVE) != 0) {
      return reserve(address, bytes, GRANULARITY, type, protection);
    }
    require(space.contains(address, bytes), "VirtualAlloc of %d at unreserved %#x", bytes, address);
    if (type == MEM_RESET) {
      resetPages(address, bytes);
    } else {
      require(type == MEM_COMMIT, "VirtualAlloc with type %#x", type);
      commit(address, bytes, protection);
    }
    return address;
  }

  @Override
  public boolean canAlign() {
    return canAlign;
  }

  @Override
  public synchronized long virtualAllocAligned(
      long bytes, long alignment, int type, int protection) {
    require(canAlign, "VirtualAlloc2 is missing");
    require(
        Long.bitCount(alignment) == 1 && alignment >= GRANULARITY, "alignment of %d", alignment);
    require((type & MEM_RESERVE) != 0, "VirtualAlloc2 with type %#x", type);
    return reserve(0, bytes, alignment, type, protection);
  }

  private long reserve(long address, long bytes, long alignment, int type, int protection) {
    if ((type & MEM_LARGE_PAGES) != 0) {
      require(bytes % LARGE_PAGE == 0 && (type & MEM_COMMIT) != 0, "large pages of %d", bytes);
      if (largePagesLeft < bytes) {
        throw refusal("VirtualAlloc", address, bytes, ERROR_PRIVILEGE_NOT_HELD);
      }
      largePagesLeft -= bytes;
    }
    long at = address;
    if (address == 0) {
      at = space.take(bytes, alignment);
      if (at == ModelSpace.NO_ROOM) {
        throw refusal("VirtualAlloc", 0, bytes, ERROR_NOT_ENOUGH_MEMORY);
      }
    } else {
      require(address % GRANULARITY == 0, "VirtualAlloc reserving at %#x", address);
      if (!space.takeAt(address, bytes)) {
        throw refusal("VirtualAlloc", address, bytes, ERROR_INVALID_ADDRESS);
      }
    }
    if ((type & MEM_COMMIT) != 0) {
      try {
        commit(at, bytes, protection);
      } catch (VirtualMemoryException e) {
        space.give(at, bytes);
        throw e;
      }
    }
    protections.put(at, protection);
    return at;
  }

  private void commit(long address, long bytes, int protection) {
    long more = 0;
    for (RangeMap.Run<Integer> part : committed.parts(address, address + bytes)) {
      more += part.value() == null ? part.bytes() : 0;
    }
    if (more > commitLimit - commitBytes) {
      throw refusal("VirtualAlloc", address, bytes, ERROR_COMMITMENT_LIMIT);
    }
    commitBytes += more;
    protectPages(address, bytes, protection);
    reset.clear(address, address + bytes);
  }

  private void resetPages(long address, long bytes) {
    requireCommitted("MEM_RESET", address, bytes);
    for (long page = address; page < address + bytes; page += PAGE) {
      if ((page / PAGE & 1) != 0) {
        real.decommit(page, PAGE);
      }
    }
    reset.put(address, address + bytes, true);
  }

  // ---- freeing

  @Override
  public synchronized void virtualFree(long address, long bytes, int type) {
    if (type == MEM_RELEASE) {
      require(
          bytes == 0, "MEM_RELEASE of %d bytes at %#x: only whole reservations", bytes, address);
      long size = space.sizeAt(address);
      require(size != 0, "MEM_RELEASE at %#x, where no reservation begins", address);
      uncommit(address, size);
      protections.remove(address);
      space.give(address, size);
      if (thefts > 0) {
        thefts--;
        space.takeAt(address, size); // somebody else's from now on
      }
      return;
    }
    require(type == MEM_DECOMMIT, "VirtualFree with type %#x", type);
    require(
        bytes > 0 && bytes % PAGE == 0 && address % PAGE == 0 && space.contains(address, bytes),
        "MEM_DECOMMIT of %d bytes at %#x",
        bytes,
        address);
    uncommit(address, bytes);
    space.empty(address, bytes);
  }

  private void uncommit(long address, long bytes) {
    for (RangeMap.Run<Integer> part : committed.parts(address, address + bytes)) {
      commitBytes -= part.value() == null ? 0 : part.bytes();
    }
    committed.clear(address, address + bytes);
    reset.clear(address, address + bytes);
  }

  // ---- protection

  @Override
  public synchronized void virtualProtect(long address, long bytes, int protection) {
    requireCommitted("VirtualProtect", address, bytes);
    protectPages(address, bytes, protection);
  }

  private void protectPages(long address, long bytes, int protection) {
    real.protect(
        address,
        bytes,
        switch (protection) {
          case PAGE_NOACCESS -> Access.NONE;
          case PAGE_READONLY -> Access.READ;
          case PAGE_READWRITE -> Access.READ_WRITE;
          default -> throw new AssertionError("protection " + protection);
        });
    committed.put(address, address + bytes, protection);
  }

  @Override
  public synchronized int allocationProtection(long address) {
    for (Map.Entry<Long, Integer> reservation : protections.entrySet()) {
      long base = reservation.getKey();
      if (address >= base && address < base + space.sizeAt(base)) {
        return reservation.getValue();
      }
    }
    throw new AssertionError("VirtualQuery of %#x, which is free".formatted(address));
  }

  private void requireCommitted(String call, long address, long bytes) {
    require(
        bytes > 0 && bytes % PAGE == 0 && address % PAGE == 0 && space.contains(address, bytes),
        "%s of %d bytes at %#x",
        call,
        bytes,
        address);
    for (RangeMap.Run<Integer> part : committed.parts(address, address + bytes)) {
      require(part.value() != null, "%s at %#x, which is not committed", call, part.from());
    }
  }

  @Override
  public synchronized void requireUsable(long address, long bytes) {
    for (RangeMap.Run<Integer> part : committed.parts(address, address + bytes)) {
      require(part.value() != null, "%#x is handed out, but is not committed", part.from());
      require(part.value() == PAGE_READWRITE, "%#x is handed out, but is protected", part.from());
    }
    for (RangeMap.Run<Boolean> part : reset.parts(address, address + bytes)) {
      require(part.value() == null, "%#x is handed out, but is reset", part.from());
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
  private static void require(boolean condition, String message, Object... arguments) {
    if (!condition) {
      throw new AssertionError(message.formatted(arguments));
    }
  }

  private static VirtualMemoryException refusal(String call, long address, long bytes, int error) {
    return new VirtualMemoryException(call, address, bytes, errorName(error));
  }

  // ---- the machine

  @Override
  public long osPageBytes() {
    return PAGE;
  }

  @Override
  public long allocationGranularityBytes() {
    return GRANULARITY;
  }

  @Override
  public long largePageBytes() {
    return LARGE_PAGE;
  }

  @Override
  public long physicalMemoryBytes() {
    return real.physicalMemoryBytes();
  }

  @Override
  public long jobLimitBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public Counters processCounters() {
    ProcessMemory process = real.processMemory();
    return new Counters(process.residentBytes(), process.peakResidentBytes(), commitBytes());
  }

  @Override
  public void random(byte[] bytes) {
    real.entropy().fill(bytes);
  }

  /** Gives the address space back. Nothing of it may be used any more. */
  @Override
  public void close() {
    space.close();
  }
}
