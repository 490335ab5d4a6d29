// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/**
 * What a span allocator holds.
 *
 * @param reservedBytes bytes of address space in its segments
 * @param committedBytes bytes of those that are committed
 * @param segments number of segments, a huge one counting as one
 * @param largeBytes usable bytes in large and huge blocks
 * @param largeBlocks number of large and huge blocks
 * @param refusedPurges how many times the operating system refused to take memory back
 */
public record SpanStats(
    long reservedBytes,
    long committedBytes,
    int segments,
    long largeBytes,
    long largeBlocks,
    long refusedPurges) {}
