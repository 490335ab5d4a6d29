// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import static dev.ashlar.alloc.prim.linux.LinuxConstants.MADV_DONTNEED;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MAP_ANONYMOUS;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MAP_NORESERVE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MAP_PRIVATE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.PROT_NONE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.PROT_READ;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.PROT_WRITE;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.Entropy;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Linux's memory.
 *
 * <p>Reserving maps without access, which counts as address space alone; committing grants access,
 * and the kernel backs each page when it is first touched. Only where it is set to strict
 * accounting ({@code vm.overcommit_memory=2}) does committing count before that. Decommitting
 * discards the pages and keeps the access, so a stray access afterwards sees zeros instead of
 * ending the JVM.
 */
final class LinuxMemory implements VirtualMemory {

  private static final String ROLLUP = "/proc/self/smaps_rollup";
  private static final String STATUS = "/proc/self/status";

  private final long osPageBytes = LinuxCalls.sysconf(LinuxConstants.SC_PAGESIZE);

  @Override
  public long reserve(long bytes, long alignment, Access access) {
    if (access == Access.READ_WRITE) {
      throw new IllegalArgumentException("a reserved range is not writable: commit it");
    }
    // The kernel aligns to its own page only: map enough for an aligned range and cut the rest off.
    long slack = alignment - osPageBytes;
    if (bytes <= 0 || slack < 0 || bytes > Long.MAX_VALUE - slack) {
      throw new IllegalArgumentException(
          "bytes " + bytes + ", alignment " + alignment + ": not a range of OS pages");
    }
    long mapped =
        LinuxCalls.mmap(
            bytes + slack, protection(access), MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
    long address = (mapped + slack) & -alignment;
    if (address > mapped) {
      LinuxCalls.munmap(mapped, address - mapped);
    }
    long after = mapped + slack - address;
    if (after > 0) {
      LinuxCalls.munmap(address + bytes, after);
    }
    return address;
  }

  @Override
  public void release(long address, long bytes) {
    LinuxCalls.munmap(address, bytes);
  }

  @Override
  public void commit(long address, long bytes) {
    LinuxCalls.mprotect(address, bytes, PROT_READ | PROT_WRITE);
  }

  @Override
  public void decommit(long address, long bytes) {
    LinuxCalls.madvise(address, bytes, MADV_DONTNEED);
  }

  @Override
  public void protect(long address, long bytes, Access access) {
    LinuxCalls.mprotect(address, bytes, protection(access));
  }

  private static int protection(Access access) {
    return switch (access) {
      case NONE -> PROT_NONE;
      case READ -> PROT_READ;
      case READ_WRITE -> PROT_READ | PROT_WRITE;
    };
  }

  @Override
  public long osPageBytes() {
    return osPageBytes;
  }

  @Override
  public long physicalMemoryBytes() {
    return LinuxCalls.sysconf(LinuxConstants.SC_PHYS_PAGES) * osPageBytes;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(true, true);
  }

  @Override
  public Entropy entropy() {
    return LinuxCalls::getrandom;
  }

  @Override
  public Clock clock() {
    return System::nanoTime;
  }

  @Override
  public ProcessMemory processMemory() {
    return new ProcessMemory(kibibytes(ROLLUP, "Rss:") << 10, kibibytes(STATUS, "VmHWM:") << 10);
  }

  /** Reads the number behind a key in one of the kernel's "Key: 123 kB" files. */
  private static long kibibytes(String file, String key) {
    try {
      for (String line : Files.readAllLines(Path.of(file))) {
        if (line.startsWith(key)) {
          String number = line.substring(key.length()).strip();
          return Long.parseLong(number.substring(0, number.indexOf(' ')));
        }
      }
    } catch (IOException e) {
      throw new VirtualMemoryException("reading " + file, 0, 0, e.toString());
    }
    throw new VirtualMemoryException("reading " + key + " in " + file, 0, 0, "no such line");
  }
}
