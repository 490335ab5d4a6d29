// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.ashlar.benchmarks.blocks.WorkDone;

/**
 * What was found out of one allocator under one workload. What does not apply is null.
 *
 * @param workload the name of the workload
 * @param allocator the name of the allocator
 * @param threads how many threads allocated at once
 * @param nsPerOp the median of the rounds' medians, in nanoseconds for an operation
 * @param minNsPerOp the least sample of all rounds
 * @param rounds how many processes measured
 * @param javaBytesPerOp bytes allocated on the Java heap for an operation
 * @param rssPeakBytes resident memory when all blocks were alive, over the level before
 * @param rssAfterFreeBytes the same when they had been freed
 * @param rssAfterIdleBytes the same 3 seconds later
 * @param rssAfterTrimBytes the same after the allocator was asked to give memory back
 * @param operationsPerRun how many operations a run has; of a timed workload
 * @param work what every process counted that it did, the same for all allocators
 * @param note what else must be known of the figures, such as why there are none
 */
@JsonPropertyOrder({
  "workload",
  "allocator",
  "threads",
  "nsPerOp",
  "minNsPerOp",
  "rounds",
  "javaBytesPerOp",
  "rssPeakBytes",
  "rssAfterFreeBytes",
  "rssAfterIdleBytes",
  "rssAfterTrimBytes",
  "operationsPerRun",
  "work",
  "note"
})
public record Result(
    String workload,
    String allocator,
    int threads,
    Double nsPerOp,
    Double minNsPerOp,
    int rounds,
    Double javaBytesPerOp,
    Long rssPeakBytes,
    Long rssAfterFreeBytes,
    Long rssAfterIdleBytes,
    Long rssAfterTrimBytes,
    Long operationsPerRun,
    WorkDone work,
    String note) {}
