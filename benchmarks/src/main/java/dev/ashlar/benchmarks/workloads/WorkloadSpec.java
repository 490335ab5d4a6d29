// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import java.util.Set;

/**
 * What is known of a workload without running it.
 *
 * @param name its name on the command line and in results
 * @param kind how it is measured
 * @param core whether it is one of the thirteen that the claims on small blocks are about
 * @param operation what a figure is the time of
 * @param about what it does
 * @param needs what it needs of an allocator
 */
public record WorkloadSpec(
    String name, Kind kind, boolean core, String operation, String about, Set<Need> needs) {

  /** How a workload is measured. */
  public enum Kind {
    TIMED,
    COLD_START,
    MEMORY
  }
}
