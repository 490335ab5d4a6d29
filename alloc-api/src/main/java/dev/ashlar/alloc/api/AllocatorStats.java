// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

/**
 * What an allocator holds at one moment. All byte counts are of usable block sizes, not of
 * requested sizes.
 *
 * <p>The figures are exact when no thread is inside the allocator; while threads work, each figure
 * may be off by what they have in hand, and is never negative.
 *
 * @param liveBytes bytes in blocks that were given out and not freed
 * @param liveBlocks number of blocks that were given out and not freed
 * @param cachedBytes bytes in freed blocks that heaps keep ready for reuse
 * @param committedBytes bytes of memory that the operating system has been asked to back
 * @param reservedBytes bytes of address space in this allocator's segments; at least {@code
 *     committedBytes}
 * @param segments number of segments, a huge block's run counting as one
 * @param heaps number of heaps, those of dead threads that nobody has adopted included
 * @param adoptions how many times a thread has taken over the heap of one that had ended
 * @param remoteFrees number of blocks that came back to a heap's pages from other threads
 * @param refusedPurges how many times the operating system refused to take memory back; that memory
 *     stays committed and usable
 */
public record AllocatorStats(
    long liveBytes,
    long liveBlocks,
    long cachedBytes,
    long committedBytes,
    long reservedBytes,
    int segments,
    int heaps,
    long adoptions,
    long remoteFrees,
    long refusedPurges) {}
