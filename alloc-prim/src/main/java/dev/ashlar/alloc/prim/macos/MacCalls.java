// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.macos;

/**
 * The calls that the binding of macOS makes, with the arguments of the system library's functions
 * and the numbers of {@link MacConstants}. Every refusal is a {@link
 * dev.ashlar.alloc.prim.VirtualMemoryException} with the name of the error number.
 */
public interface MacCalls {

  /**
   * Calls {@code mmap} without a file.
   *
   * @param address where, with {@code MAP_FIXED}, or 0 for anywhere
   * @param bytes the size in bytes
   * @param protection a combination of {@code PROT_} constants
   * @param flags a combination of {@code MAP_} constants
   * @return the address of the mapping
   */
  long mmap(long address, long bytes, int protection, int flags);

  /**
   * Calls {@code munmap}.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   */
  void munmap(long address, long bytes);

  /**
   * Calls {@code mprotect}.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @param protection a combination of {@code PROT_} constants
   */
  void mprotect(long address, long bytes, int protection);

  /**
   * Calls {@code madvise}.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @param advice a {@code MADV_} constant
   */
  void madvise(long address, long bytes, int advice);

  /**
   * Asks {@code sysconf} for the size of a page.
   *
   * @return the size in bytes
   */
  long osPageBytes();

  /**
   * Asks {@code sysctlbyname} for the physical memory.
   *
   * @return the size in bytes
   */
  long physicalMemoryBytes();

  /**
   * Calls {@code task_info} for this process.
   *
   * @return its counters
   */
  Counters taskCounters();

  /**
   * Calls {@code getentropy}.
   *
   * @param bytes the array to fill, of at most {@link MacConstants#MOST_ENTROPY_BYTES}
   */
  void getentropy(byte[] bytes);

  /**
   * What of {@code task_vm_info} is used.
   *
   * @param residentBytes the resident memory
   * @param peakResidentBytes its peak
   * @param footprintBytes what the system's memory limits count
   */
  record Counters(long residentBytes, long peakResidentBytes, long footprintBytes) {}
}
