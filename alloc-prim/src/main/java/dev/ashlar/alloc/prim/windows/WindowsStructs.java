// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.windows;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * The structures of the 64-bit Windows API that the binding reads and writes, with the names of
 * {@code sysinfoapi.h}, {@code psapi.h} and {@code winnt.h}.
 */
final class WindowsStructs {

  static final StructLayout SYSTEM_INFO =
      structLayout(
          JAVA_SHORT.withName("wProcessorArchitecture"),
          JAVA_SHORT.withName("wReserved"),
          JAVA_INT.withName("dwPageSize"),
          JAVA_LONG.withName("lpMinimumApplicationAddress"),
          JAVA_LONG.withName("lpMaximumApplicationAddress"),
          JAVA_LONG.withName("dwActiveProcessorMask"),
          JAVA_INT.withName("dwNumberOfProcessors"),
          JAVA_INT.withName("dwProcessorType"),
          JAVA_INT.withName("dwAllocationGranularity"),
          JAVA_SHORT.withName("wProcessorLevel"),
          JAVA_SHORT.withName("wProcessorRevision"));

  static final StructLayout MEMORYSTATUSEX =
      structLayout(
          JAVA_INT.withName("dwLength"),
          JAVA_INT.withName("dwMemoryLoad"),
          JAVA_LONG.withName("ullTotalPhys"),
          JAVA_LONG.withName("ullAvailPhys"),
          JAVA_LONG.withName("ullTotalPageFile"),
          JAVA_LONG.withName("ullAvailPageFile"),
          JAVA_LONG.withName("ullTotalVirtual"),
          JAVA_LONG.withName("ullAvailVirtual"),
          JAVA_LONG.withName("ullAvailExtendedVirtual"));

  static final StructLayout PROCESS_MEMORY_COUNTERS =
      structLayout(
          JAVA_INT.withName("cb"),
          JAVA_INT.withName("PageFaultCount"),
          JAVA_LONG.withName("PeakWorkingSetSize"),
          JAVA_LONG.withName("WorkingSetSize"),
          JAVA_LONG.withName("QuotaPeakPagedPoolUsage"),
          JAVA_LONG.withName("QuotaPagedPoolUsage"),
          JAVA_LONG.withName("QuotaPeakNonPagedPoolUsage"),
          JAVA_LONG.withName("QuotaNonPagedPoolUsage"),
          JAVA_LONG.withName("PagefileUsage"),
          JAVA_LONG.withName("PeakPagefileUsage"));

  static final StructLayout MEMORY_BASIC_INFORMATION =
      structLayout(
          JAVA_LONG.withName("BaseAddress"),
          JAVA_LONG.withName("AllocationBase"),
          JAVA_INT.withName("AllocationProtect"),
          JAVA_SHORT.withName("PartitionId"),
          paddingLayout(2),
          JAVA_LONG.withName("RegionSize"),
          JAVA_INT.withName("State"),
          JAVA_INT.withName("Protect"),
          JAVA_INT.withName("Type"),
          paddingLayout(4));

  static final StructLayout MEM_ADDRESS_REQUIREMENTS =
      structLayout(
          JAVA_LONG.withName("LowestStartingAddress"),
          JAVA_LONG.withName("HighestEndingAddress"),
          JAVA_LONG.withName("Alignment"));

  static final StructLayout MEM_EXTENDED_PARAMETER =
      structLayout(JAVA_LONG.withName("Type"), JAVA_LONG.withName("Pointer"));

  /** The basic limits first, then the counters of input and output, then the limits of memory. */
  static final StructLayout JOBOBJECT_EXTENDED_LIMIT_INFORMATION =
      structLayout(
          JAVA_LONG.withName("PerProcessUserTimeLimit"),
          JAVA_LONG.withName("PerJobUserTimeLimit"),
          JAVA_INT.withName("LimitFlags"),
          paddingLayout(4),
          JAVA_LONG.withName("MinimumWorkingSetSize"),
          JAVA_LONG.withName("MaximumWorkingSetSize"),
          JAVA_INT.withName("ActiveProcessLimit"),
          paddingLayout(4),
          JAVA_LONG.withName("Affinity"),
          JAVA_INT.withName("PriorityClass"),
          JAVA_INT.withName("SchedulingClass"),
          MemoryLayout.sequenceLayout(6, JAVA_LONG).withName("IoInfo"),
          JAVA_LONG.withName("ProcessMemoryLimit"),
          JAVA_LONG.withName("JobMemoryLimit"),
          JAVA_LONG.withName("PeakProcessMemoryUsed"),
          JAVA_LONG.withName("PeakJobMemoryUsed"));

  private WindowsStructs() {}

  static int getInt(StructLayout type, MemorySegment struct, String field) {
    return struct.get(JAVA_INT, offset(type, field));
  }

  static long getLong(StructLayout type, MemorySegment struct, String field) {
    return struct.get(JAVA_LONG, offset(type, field));
  }

  static long offset(StructLayout type, String field) {
    return type.byteOffset(PathElement.groupElement(field));
  }

  /**
   * Returns the least limit that a job's limits contain.
   *
   * @param job a {@link #JOBOBJECT_EXTENDED_LIMIT_INFORMATION}
   * @return the limit in bytes, {@link Long#MAX_VALUE} if there is none
   */
  static long jobLimit(MemorySegment job) {
    StructLayout type = JOBOBJECT_EXTENDED_LIMIT_INFORMATION;
    int flags = getInt(type, job, "LimitFlags");
    long limit = Long.MAX_VALUE;
    if ((flags & WindowsConstants.JOB_OBJECT_LIMIT_PROCESS_MEMORY) != 0) {
      limit = positive(getLong(type, job, "ProcessMemoryLimit"));
    }
    if ((flags & WindowsConstants.JOB_OBJECT_LIMIT_JOB_MEMORY) != 0) {
      limit = Math.min(limit, positive(getLong(type, job, "JobMemoryLimit")));
    }
    return limit;
  }

  /** Sizes are unsigned: what looks negative is beyond all memory. */
  private static long positive(long size) {
    return size < 0 ? Long.MAX_VALUE : size;
  }
}
