// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.heap.HeapAllocator;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.segment.Segment;
import dev.ashlar.alloc.segment.SizeClasses;

/**
 * What the operating system offers and what Ashlar decided from it. Sizes are in bytes.
 *
 * @param version the version of Ashlar, "development" when it does not run from its jars
 * @param operatingSystem the name of the operating system
 * @param architecture the processor architecture
 * @param osPageBytes the size of the operating system's page
 * @param physicalMemoryBytes the physical memory of the machine
 * @param reservedBytes the address space reserved for all allocators of this process
 * @param segmentBytes the size of a segment
 * @param sliceBytes the size of a slice
 * @param sizeClasses how many sizes pages are cut into
 * @param greatestSmallBytes the greatest block that has a magazine
 * @param greatestMediumBytes the greatest block that is cut from a page
 * @param heapSlots how many threads can have a heap of their own in the process-wide allocator
 * @param stripes how many heaps virtual threads share at most
 */
public record Environment(
    String version,
    String operatingSystem,
    String architecture,
    long osPageBytes,
    long physicalMemoryBytes,
    long reservedBytes,
    long segmentBytes,
    long sliceBytes,
    int sizeClasses,
    long greatestSmallBytes,
    long greatestMediumBytes,
    int heapSlots,
    int stripes) {

  static Environment read(int heapSlots) {
    VirtualMemory memory = VirtualMemory.system();
    return new Environment(
        Version.current(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        memory.osPageBytes(),
        memory.physicalMemoryBytes(),
        HeapAllocator.reservedBytes(),
        Segment.SEGMENT_BYTES,
        Segment.SLICE_BYTES,
        SizeClasses.LAST_MEDIUM,
        SizeClasses.SMALL_BYTES,
        SizeClasses.MEDIUM_BYTES,
        heapSlots,
        HeapAllocator.stripes());
  }
}
