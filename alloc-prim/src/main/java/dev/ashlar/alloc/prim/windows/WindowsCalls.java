// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.windows;

/**
 * The calls that the binding of Windows makes, with the arguments of the system's functions and the
 * numbers of {@link WindowsConstants}. Every refusal is a {@link
 * dev.ashlar.alloc.prim.VirtualMemoryException} with the name of the error.
 */
public interface WindowsCalls {

  /**
   * Calls {@code VirtualAlloc}.
   *
   * @param address where, or 0 for anywhere
   * @param bytes the size in bytes
   * @param type what to do: a combination of {@code MEM_} constants
   * @param protection a {@code PAGE_} constant
   * @return the address of the range
   */
  long virtualAlloc(long address, long bytes, int type, int protection);

  /**
   * Tells whether {@link #virtualAllocAligned} can be called on this system.
   *
   * @return true if it can
   */
  boolean canAlign();

  /**
   * Calls {@code VirtualAlloc2} with address requirements.
   *
   * @param bytes the size in bytes
   * @param alignment the alignment in bytes of the result
   * @param type what to do: a combination of {@code MEM_} constants
   * @param protection a {@code PAGE_} constant
   * @return the address of the range
   */
  long virtualAllocAligned(long bytes, long alignment, int type, int protection);

  /**
   * Calls {@code VirtualFree}.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes, 0 to release a whole reservation
   * @param type {@code MEM_DECOMMIT} or {@code MEM_RELEASE}
   */
  void virtualFree(long address, long bytes, int type);

  /**
   * Calls {@code VirtualProtect}.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @param protection a {@code PAGE_} constant
   */
  void virtualProtect(long address, long bytes, int protection);

  /**
   * Asks {@code VirtualQuery} what protection a range was reserved with.
   *
   * @param address an address in the range
   * @return a {@code PAGE_} constant
   */
  int allocationProtection(long address);

  /**
   * Asks {@code GetSystemInfo} for the size of a page.
   *
   * @return the size in bytes
   */
  long osPageBytes();

  /**
   * Asks {@code GetSystemInfo} for the granularity of reservations.
   *
   * @return the size in bytes
   */
  long allocationGranularityBytes();

  /**
   * Calls {@code GetLargePageMinimum}.
   *
   * @return the size in bytes, 0 if there are no large pages
   */
  long largePageBytes();

  /**
   * Asks {@code GlobalMemoryStatusEx} for the physical memory.
   *
   * @return the size in bytes
   */
  long physicalMemoryBytes();

  /**
   * Asks {@code QueryInformationJobObject} for the limits of the job this process is in.
   *
   * @return the least limit in bytes, {@link Long#MAX_VALUE} if there is none
   */
  long jobLimitBytes();

  /**
   * Calls {@code K32GetProcessMemoryInfo}.
   *
   * @return the counters of this process
   */
  Counters processCounters();

  /**
   * Fills an array from {@code ProcessPrng} or {@code BCryptGenRandom}.
   *
   * @param bytes the array
   */
  void random(byte[] bytes);

  /**
   * What of {@code PROCESS_MEMORY_COUNTERS} is used.
   *
   * @param workingSetBytes the size of the working set
   * @param peakWorkingSetBytes its peak
   * @param commitBytes the commit charge
   */
  record Counters(long workingSetBytes, long peakWorkingSetBytes, long commitBytes) {}
}
