// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.windows;

import static dev.ashlar.alloc.prim.call.NativeCalls.again;
import static dev.ashlar.alloc.prim.call.NativeCalls.call;
import static dev.ashlar.alloc.prim.call.NativeCalls.callSeven;
import static dev.ashlar.alloc.prim.windows.WindowsStructs.getInt;
import static dev.ashlar.alloc.prim.windows.WindowsStructs.getLong;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ashlar.alloc.prim.VirtualMemoryException;
import dev.ashlar.alloc.prim.call.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/** The functions of the system's libraries. */
final class NativeWindowsCalls implements WindowsCalls {

  private final SymbolLookup kernel = NativeCalls.library("kernel32.dll");
  private final MemorySegment virtualAlloc = kernel.findOrThrow("VirtualAlloc");
  private final MemorySegment virtualFree = kernel.findOrThrow("VirtualFree");
  private final MemorySegment virtualProtect = kernel.findOrThrow("VirtualProtect");
  private final MemorySegment virtualQuery = kernel.findOrThrow("VirtualQuery");

  /** Not there before Windows 10, version 1803. */
  private final Optional<MemorySegment> virtualAlloc2 =
      NativeCalls.library("kernelbase.dll").find("VirtualAlloc2");

  private final MemorySegment systemInfo = systemInfo();

  @Override
  public long virtualAlloc(long address, long bytes, int type, int protection) {
    long result = call(virtualAlloc, address, bytes, type, protection, 0, 0);
    if (result == 0) {
      int[] error = new int[1];
      result = again(error, virtualAlloc, address, bytes, type, protection, 0, 0);
      if (result == 0) {
        throw failure("VirtualAlloc", address, bytes, error[0]);
      }
    }
    return result;
  }

  @Override
  public boolean canAlign() {
    return virtualAlloc2.isPresent();
  }

  @Override
  public long virtualAllocAligned(long bytes, long alignment, int type, int protection) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment requirements = arena.allocate(WindowsStructs.MEM_ADDRESS_REQUIREMENTS);
      requirements.set(
          JAVA_LONG,
          WindowsStructs.offset(WindowsStructs.MEM_ADDRESS_REQUIREMENTS, "Alignment"),
          alignment);
      MemorySegment parameter = arena.allocate(WindowsStructs.MEM_EXTENDED_PARAMETER);
      parameter.set(JAVA_LONG, 0, WindowsConstants.MEM_EXTENDED_PARAMETER_ADDRESS_REQUIREMENTS);
      parameter.set(JAVA_LONG, Long.BYTES, requirements.address());
      int[] error = new int[1];
      long result =
          callSeven(
              error,
              virtualAlloc2.orElseThrow(),
              WindowsConstants.CURRENT_PROCESS,
              0,
              bytes,
              type,
              protection,
              parameter.address(),
              1);
      if (result == 0) {
        throw failure("VirtualAlloc2", 0, bytes, error[0]);
      }
      return result;
    }
  }

  @Override
  public void virtualFree(long address, long bytes, int type) {
    succeed("VirtualFree", virtualFree, address, bytes, type, 0);
  }

  @Override
  public void virtualProtect(long address, long bytes, int protection) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment old = arena.allocate(JAVA_INT);
      succeed("VirtualProtect", virtualProtect, address, bytes, protection, old.address());
    }
  }

  /** Calls a function that returns whether it succeeded. */
  private static void succeed(
      String name, MemorySegment function, long address, long bytes, long c, long d) {
    if ((int) call(function, address, bytes, c, d, 0, 0) == 0) {
      int[] error = new int[1];
      if ((int) again(error, function, address, bytes, c, d, 0, 0) == 0) {
        throw failure(name, address, bytes, error[0]);
      }
    }
  }

  @Override
  public int allocationProtection(long address) {
    StructLayout type = WindowsStructs.MEMORY_BASIC_INFORMATION;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment information = arena.allocate(type);
      int[] error = new int[1];
      long size = type.byteSize();
      if (again(error, virtualQuery, address, information.address(), size, 0, 0, 0) == 0) {
        throw failure("VirtualQuery", address, 0, error[0]);
      }
      return getInt(type, information, "AllocationProtect");
    }
  }

  private MemorySegment systemInfo() {
    MemorySegment information = Arena.ofAuto().allocate(WindowsStructs.SYSTEM_INFO);
    call(kernel.findOrThrow("GetSystemInfo"), information.address(), 0, 0);
    return information;
  }

  @Override
  public long osPageBytes() {
    return getInt(WindowsStructs.SYSTEM_INFO, systemInfo, "dwPageSize");
  }

  @Override
  public long allocationGranularityBytes() {
    return getInt(WindowsStructs.SYSTEM_INFO, systemInfo, "dwAllocationGranularity");
  }

  @Override
  public long largePageBytes() {
    return call(kernel.findOrThrow("GetLargePageMinimum"), 0, 0, 0);
  }

  @Override
  public long physicalMemoryBytes() {
    StructLayout type = WindowsStructs.MEMORYSTATUSEX;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(type);
      status.set(JAVA_INT, 0, (int) type.byteSize());
      MemorySegment function = kernel.findOrThrow("GlobalMemoryStatusEx");
      succeed("GlobalMemoryStatusEx", function, status.address(), 0, 0, 0);
      return getLong(type, status, "ullTotalPhys");
    }
  }

  @Override
  public long jobLimitBytes() {
    StructLayout type = WindowsStructs.JOBOBJECT_EXTENDED_LIMIT_INFORMATION;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment job = arena.allocate(type);
      long done =
          call(
              kernel.findOrThrow("QueryInformationJobObject"),
              0,
              WindowsConstants.JOB_OBJECT_EXTENDED_LIMIT_INFORMATION,
              job.address(),
              type.byteSize(),
              0,
              0);
      // It fails for a process that is in no job.
      return (int) done == 0 ? Long.MAX_VALUE : WindowsStructs.jobLimit(job);
    }
  }

  @Override
  public Counters processCounters() {
    StructLayout type = WindowsStructs.PROCESS_MEMORY_COUNTERS;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment counters = arena.allocate(type);
      succeed(
          "K32GetProcessMemoryInfo",
          kernel.findOrThrow("K32GetProcessMemoryInfo"),
          WindowsConstants.CURRENT_PROCESS,
          counters.address(),
          type.byteSize(),
          0);
      return new Counters(
          getLong(type, counters, "WorkingSetSize"),
          getLong(type, counters, "PeakWorkingSetSize"),
          getLong(type, counters, "PagefileUsage"));
    }
  }

  /** Takes the generator of the process, which is not there before Windows 10, or the system's. */
  @Override
  public void random(byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.max(bytes.length, 1));
      Optional<MemorySegment> processPrng =
          NativeCalls.library("bcryptprimitives.dll").find("ProcessPrng");
      if (processPrng.isPresent()) {
        call(processPrng.get(), buffer.address(), bytes.length, 0);
      } else {
        MemorySegment generate = NativeCalls.library("bcrypt.dll").findOrThrow("BCryptGenRandom");
        int status =
            (int)
                call(
                    generate,
                    0,
                    buffer.address(),
                    bytes.length,
                    WindowsConstants.BCRYPT_USE_SYSTEM_PREFERRED_RNG,
                    0,
                    0);
        if (status < 0) {
          throw new VirtualMemoryException(
              "BCryptGenRandom", 0, bytes.length, "status 0x" + Integer.toHexString(status));
        }
      }
      MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, 0, bytes.length);
    }
  }

  private static VirtualMemoryException failure(
      String operation, long address, long bytes, int error) {
    return new VirtualMemoryException(operation, address, bytes, WindowsConstants.errorName(error));
  }
}
