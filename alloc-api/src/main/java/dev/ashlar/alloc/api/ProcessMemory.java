// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

/**
 * The memory of this process as the operating system counts it, in bytes.
 *
 * @param residentBytes physical memory in use by the process (RSS)
 * @param peakResidentBytes the highest {@code residentBytes} so far
 */
public record ProcessMemory(long residentBytes, long peakResidentBytes) {}
