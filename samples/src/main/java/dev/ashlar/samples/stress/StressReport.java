// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.api.AllocatorStats;

/**
 * What a clean run did.
 *
 * @param nanoseconds how long it took
 * @param operations how many operations all workers did
 * @param remoteFrees how many blocks were freed or resized by another thread than the one that had
 *     allocated them
 * @param threads how many threads carried the workers on
 * @param blocks how many blocks were live at the end
 * @param atEnd what the allocator held when the workers were done
 * @param afterwards what it held when everything was freed
 * @param growth how many bytes more the process has than before, besides the Java heap
 */
public record StressReport(
    long nanoseconds,
    long operations,
    long remoteFrees,
    long threads,
    int blocks,
    AllocatorStats atEnd,
    AllocatorStats afterwards,
    long growth) {}
