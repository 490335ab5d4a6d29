// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import static dev.ashlar.alloc.prim.linux.LinuxConstants.MADV_DONTNEED;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MADV_FREE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MADV_HUGEPAGE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MADV_POPULATE_WRITE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MAP_ANONYMOUS;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MAP_FIXED;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MAP_HUGETLB;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MAP_NORESERVE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MAP_PRIVATE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MPOL_PREFERRED;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MREMAP_DONTUNMAP;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MREMAP_FIXED;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MREMAP_MAYMOVE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.PROT_NONE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.PROT_READ;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.PROT_WRITE;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.Entropy;
import dev.ashlar.alloc.prim.Fallbacks;
import dev.ashlar.alloc.prim.Ranges;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Linux's memory.
 *
 * <p>Reserving maps without write access, which counts as address space alone; committing grants
 * access, and the kernel backs each page when it is first touched. Decommitting discards the pages
 * and keeps the access, so a stray access afterwards sees zeros instead of ending the JVM.
 *
 * <p>Where the kernel is set to strict accounting ({@code vm.overcommit_memory=2}), all that is
 * writable counts against the machine's limit, touched or not, and only a new mapping ends that. So
 * decommitting then maps anew, for reading: a stray write ends the JVM.
 */
final class LinuxMemory implements VirtualMemory {

  private static final int ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

  private final LinuxCalls calls;
  private final Path root;
  private final KernelFiles files;
  private final boolean strict;
  private final long osPageBytes;
  private final AtomicLong ordinaryPageBytes = new AtomicLong();
  private final AtomicLong refusedNodes = new AtomicLong();

  /** Written by any thread that meets the first refusal; asking once more does no harm. */
  private volatile boolean largePagesRefused;

  /**
   * Makes the binding.
   *
   * @param calls the system's calls
   * @param root where the kernel's files are
   */
  LinuxMemory(LinuxCalls calls, Path root) {
    this.calls = calls;
    this.root = root;
    this.files = new KernelFiles(root);
    this.strict = files.countsWhatIsWritable();
    this.osPageBytes = calls.sysconf(LinuxConstants.SC_PAGESIZE);
  }

  @Override
  public long reserve(long bytes, long alignment, Access access) {
    Ranges.checkReservation(bytes, alignment, access, osPageBytes);
    // The kernel aligns to its own page only: map enough for an aligned range and cut the rest off.
    long slack = alignment - osPageBytes;
    long mapped = calls.mmap(0, bytes + slack, protection(access), ANONYMOUS);
    long address = (mapped + slack) & -alignment;
    if (address > mapped) {
      calls.munmap(mapped, address - mapped);
    }
    long after = mapped + slack - address;
    if (after > 0) {
      calls.munmap(address + bytes, after);
    }
    return address;
  }

  @Override
  public void release(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.munmap(address, bytes);
  }

  @Override
  public void commit(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.mprotect(address, bytes, PROT_READ | PROT_WRITE);
  }

  @Override
  public void decommit(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    if (strict) {
      calls.mmap(address, bytes, PROT_READ, ANONYMOUS | MAP_FIXED);
    } else {
      calls.madvise(address, bytes, MADV_DONTNEED);
    }
  }

  @Override
  public void reset(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.madvise(address, bytes, MADV_FREE);
  }

  @Override
  public void protect(long address, long bytes, Access access) {
    Ranges.check(address, bytes, osPageBytes);
    calls.mprotect(address, bytes, protection(access));
  }

  private static int protection(Access access) {
    return switch (access) {
      case NONE -> PROT_NONE;
      case READ -> PROT_READ;
      case READ_WRITE -> PROT_READ | PROT_WRITE;
    };
  }

  /** Moves the pages and leaves the old mapping, so that nothing else takes its addresses. */
  @Override
  public void remap(long from, long to, long bytes) {
    Ranges.checkDisjoint(from, to, bytes, osPageBytes);
    try {
      calls.mremap(from, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to);
    } catch (VirtualMemoryException e) {
      // Some refusals come after the kernel has made room at the new address.
      calls.mmap(to, bytes, PROT_NONE, ANONYMOUS | MAP_FIXED);
      throw e;
    }
    if (strict) {
      try {
        calls.mmap(from, bytes, PROT_READ, ANONYMOUS | MAP_FIXED);
      } catch (VirtualMemoryException e) {
        // The old range is empty, and goes on counting against the limit until it is released.
      }
    }
  }

  // ---- preferences

  @Override
  public void commitLarge(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    long large = largePageBytes();
    if (large != 0 && ((address | bytes) & large - 1) == 0 && mapLarge(address, bytes)) {
      return;
    }
    commit(address, bytes);
    ordinaryPageBytes.addAndGet(bytes);
    if (large != 0) {
      try {
        calls.madvise(address, bytes, MADV_HUGEPAGE);
      } catch (VirtualMemoryException e) {
        // The kernel makes no large pages on its own: these stay ordinary, as counted.
      }
    }
  }

  /** Maps a range anew with explicit large pages; false if there are not enough. */
  private boolean mapLarge(long address, long bytes) {
    if (largePagesRefused) {
      return false;
    }
    try {
      // Without MAP_NORESERVE: pages that are missing would show at first touch, as a signal.
      calls.mmap(
          address,
          bytes,
          PROT_READ | PROT_WRITE,
          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB);
      return true;
    } catch (VirtualMemoryException e) {
      largePagesRefused = true;
      // Some refusals come after the kernel has unmapped what was there.
      calls.mmap(address, bytes, PROT_NONE, ANONYMOUS | MAP_FIXED);
      return false;
    }
  }

  @Override
  public void preferNode(long address, long bytes, int node) {
    Ranges.check(address, bytes, osPageBytes);
    Ranges.checkNode(node);
    try {
      calls.mbind(address, bytes, MPOL_PREFERRED, 1L << node);
    } catch (VirtualMemoryException e) {
      refusedNodes.incrementAndGet();
    }
  }

  @Override
  public void populate(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    try {
      calls.madvise(address, bytes, MADV_POPULATE_WRITE);
    } catch (VirtualMemoryException e) {
      // An older kernel, or no memory now: pages are backed when they are touched.
    }
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
  public long largePageBytes() {
    return files.largePageBytes();
  }

  @Override
  public long physicalMemoryBytes() {
    return calls.sysconf(LinuxConstants.SC_PHYS_PAGES) * osPageBytes;
  }

  @Override
  public long usableMemoryBytes() {
    return ContainerLimit.read(root, physicalMemoryBytes());
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(!strict, !strict, true, true, true, true);
  }

  @Override
  public Entropy entropy() {
    return calls::getrandom;
  }

  @Override
  public Clock clock() {
    return System::nanoTime;
  }

  @Override
  public ProcessMemory processMemory() {
    return new ProcessMemory(
        files.residentBytes(),
        files.peakResidentBytes(),
        files.writableBytes(),
        usableMemoryBytes());
  }
}
