// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.windows;

import static dev.ashlar.alloc.prim.windows.WindowsConstants.ERROR_INVALID_ADDRESS;
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
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.Entropy;
import dev.ashlar.alloc.prim.Fallbacks;
import dev.ashlar.alloc.prim.Ranges;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Windows's memory.
 *
 * <p>Committing counts against the machine's commit limit at once, touched or not, and a page that
 * is not committed faults. So a range that can be read before it is committed has to be committed
 * from the start, read-only; when a part of it is decommitted, it is written with zeros and reset:
 * whether the system keeps or drops such pages, they read as zero. It goes on counting against the
 * limit.
 *
 * <p>Reservations begin at multiples of the allocation granularity, 64 KiB, and are released whole.
 * For more alignment there is a call from Windows 10 on. Before, a range is reserved to find an
 * aligned address inside, and released to be reserved again from there; another thread may have
 * taken that address in between.
 *
 * <p>Large pages are only for new ranges, and for processes that hold the privilege to lock memory.
 */
public final class WindowsMemory implements VirtualMemory {

  /** How often an aligned range is tried that others take away. */
  private static final int TRIES = 100;

  private final WindowsCalls calls;
  private final long osPageBytes;
  private final long granularityBytes;
  private final AtomicLong ordinaryPageBytes = new AtomicLong();
  private final AtomicLong refusedNodes = new AtomicLong();

  /** Written by any thread that meets the first refusal; asking once more does no harm. */
  private volatile boolean largePagesRefused;

  /**
   * Makes the binding.
   *
   * @param calls the system's calls
   */
  public WindowsMemory(WindowsCalls calls) {
    this.calls = calls;
    this.osPageBytes = calls.osPageBytes();
    this.granularityBytes = calls.allocationGranularityBytes();
  }

  // ---- address space

  @Override
  public long reserve(long bytes, long alignment, Access access) {
    Ranges.checkReservation(bytes, alignment, access, osPageBytes);
    return access == Access.READ
        ? allocate(bytes, alignment, MEM_RESERVE | MEM_COMMIT, PAGE_READONLY)
        : allocate(bytes, alignment, MEM_RESERVE, PAGE_NOACCESS);
  }

  private long allocate(long bytes, long alignment, int type, int protection) {
    if (alignment <= granularityBytes) {
      return calls.virtualAlloc(0, bytes, type, protection);
    }
    if (calls.canAlign()) {
      return calls.virtualAllocAligned(bytes, alignment, type, protection);
    }
    for (int i = 1; ; i++) {
      long whole = bytes + alignment - granularityBytes;
      long found = calls.virtualAlloc(0, whole, MEM_RESERVE, PAGE_NOACCESS);
      calls.virtualFree(found, 0, MEM_RELEASE);
      long aligned = (found + alignment - 1) & -alignment;
      try {
        return calls.virtualAlloc(aligned, bytes, type, protection);
      } catch (VirtualMemoryException e) {
        if (i == TRIES || !e.errorName().equals(errorName(ERROR_INVALID_ADDRESS))) {
          throw e;
        }
      }
    }
  }

  @Override
  public void release(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.virtualFree(address, 0, MEM_RELEASE);
  }

  // ---- backing

  @Override
  public void commit(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.virtualAlloc(address, bytes, MEM_COMMIT, PAGE_READWRITE);
  }

  @Override
  public void decommit(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    if (calls.allocationProtection(address) != PAGE_READONLY) {
      calls.virtualFree(address, bytes, MEM_DECOMMIT);
      return;
    }
    // Pages that are read-only already cannot be told from the others without a call each.
    calls.virtualProtect(address, bytes, PAGE_READWRITE);
    RawMemory.fill(address, bytes, (byte) 0);
    calls.virtualAlloc(address, bytes, MEM_RESET, PAGE_READWRITE);
    calls.virtualProtect(address, bytes, PAGE_READONLY);
  }

  @Override
  public void reset(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.virtualAlloc(address, bytes, MEM_RESET, PAGE_READWRITE);
  }

  @Override
  public void protect(long address, long bytes, Access access) {
    Ranges.check(address, bytes, osPageBytes);
    calls.virtualProtect(address, bytes, protection(access));
  }

  private static int protection(Access access) {
    return switch (access) {
      case NONE -> PAGE_NOACCESS;
      case READ -> PAGE_READONLY;
      case READ_WRITE -> PAGE_READWRITE;
    };
  }

  // ---- preferences

  @Override
  public long reserveLarge(long bytes, long alignment) {
    Ranges.checkReservation(bytes, alignment, Access.NONE, osPageBytes);
    long large = largePageBytes();
    if (large != 0 && bytes % large == 0 && !largePagesRefused) {
      try {
        return allocate(
            bytes,
            Math.max(alignment, large),
            MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES,
            PAGE_READWRITE);
      } catch (VirtualMemoryException e) {
        largePagesRefused = true;
      }
    }
    long address = allocate(bytes, alignment, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    ordinaryPageBytes.addAndGet(bytes);
    return address;
  }

  @Override
  public void commitLarge(long address, long bytes) {
    commit(address, bytes);
    ordinaryPageBytes.addAndGet(bytes);
  }

  /** Is refused: Windows takes a node only when a range is reserved. */
  @Override
  public void preferNode(long address, long bytes, int node) {
    Ranges.check(address, bytes, osPageBytes);
    Ranges.checkNode(node);
    refusedNodes.incrementAndGet();
  }

  @Override
  public void populate(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
  }

  @Override
  public Fallbacks fallbacks() {
    return new Fallbacks(ordinaryPageBytes.get(), refusedNodes.get());
  }

  // ---- what the machine is like

  @Override
  public long osPageBytes() {
    return osPageBytes;
  }

  @Override
  public long allocationGranularityBytes() {
    return granularityBytes;
  }

  @Override
  public long largePageBytes() {
    return calls.largePageBytes();
  }

  @Override
  public long physicalMemoryBytes() {
    return calls.physicalMemoryBytes();
  }

  @Override
  public long usableMemoryBytes() {
    return Math.min(calls.jobLimitBytes(), calls.physicalMemoryBytes());
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(false, false, true, true, true, false);
  }

  @Override
  public Entropy entropy() {
    return calls::random;
  }

  @Override
  public Clock clock() {
    return System::nanoTime;
  }

  @Override
  public ProcessMemory processMemory() {
    WindowsCalls.Counters counters = calls.processCounters();
    return new ProcessMemory(
        counters.workingSetBytes(),
        counters.peakWorkingSetBytes(),
        counters.commitBytes(),
        usableMemoryBytes());
  }
}
