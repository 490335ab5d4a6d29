// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import java.util.List;

/** What a measuring process is told by system properties, so that it is constant there. */
final class ForkSettings {

  private static final String ALLOCATOR = "ashlar.bench.allocator";
  private static final String WORKLOAD = "ashlar.bench.workload";
  private static final String THREADS = "ashlar.bench.threads";
  private static final String SHORTER = "ashlar.bench.shorter";
  private static final String WITNESS = "ashlar.bench.witness";

  private ForkSettings() {}

  static List<String> arguments(Arm arm, String workload, int threads, String witness) {
    return List.of(
        "-D" + ALLOCATOR + "=" + arm.label(),
        "-D" + WORKLOAD + "=" + workload,
        "-D" + THREADS + "=" + threads,
        "-D" + SHORTER + "=" + arm.shorter(),
        "-D" + WITNESS + "=" + witness);
  }

  static String allocator() {
    return System.getProperty(ALLOCATOR);
  }

  static String workload() {
    return System.getProperty(WORKLOAD);
  }

  static int threads() {
    return Integer.getInteger(THREADS, 2);
  }

  /** How many times shorter long runs are. */
  static int shorter() {
    return Integer.getInteger(SHORTER, 1);
  }

  /** The file that gets what the check counted. */
  static String witness() {
    return System.getProperty(WITNESS);
  }
}
