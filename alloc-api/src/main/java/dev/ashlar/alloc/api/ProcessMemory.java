// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

/**
 * The memory of this process as the operating system counts it, in bytes. It is all memory of the
 * process, the Java heap and the JVM's own included.
 *
 * @param residentBytes physical memory in use by the process (RSS)
 * @param peakResidentBytes the highest {@code residentBytes} so far
 * @param committedBytes private memory that the operating system has agreed to back: on Linux the
 *     size of the writable private mappings, on Windows the commit charge, on macOS the footprint
 *     that the system's memory limits count
 * @param limitBytes how much memory the process may use: the limit of the container it runs in, or
 *     the machine's physical memory if that is less
 */
public record ProcessMemory(
    long residentBytes, long peakResidentBytes, long committedBytes, long limitBytes) {}
