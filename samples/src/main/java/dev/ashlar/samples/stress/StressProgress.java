// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.api.AllocatorStats;

/**
 * Where a run stands.
 *
 * @param second how many seconds it has been going on
 * @param operations how many operations all workers have done
 * @param stats what the allocator holds
 */
public record StressProgress(int second, long operations, AllocatorStats stats) {}
