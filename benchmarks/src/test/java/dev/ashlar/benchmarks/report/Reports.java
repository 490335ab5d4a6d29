// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import dev.ashlar.benchmarks.blocks.WorkDone;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report to test with. */
final class Reports {

  private static final WorkDone WORK = new WorkDone(10, 480, 10, 0, 99);

  private Reports() {}

  static BenchReport sample() {
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("date", "2026-01-01");
    environment.put("command", "./ashlar bench");
    environment.put("processors", 2);
    environment.put("absent", Map.of("native-tcmalloc", "apt-get install <tcmalloc>"));
    environment.put("notApplicable", Map.of());
    environment.put("failed", Map.of());
    return new BenchReport(
        environment,
        List.of(
            timed("pingpong", "ashlar-raw", 8),
            timed("pingpong", "jdk-confined", 80),
            timed("batch-lifo", "ashlar-raw", 10),
            timed("batch-lifo", "jdk-confined", 25),
            timed("large-1m", "ashlar-raw", 30),
            timed("large-1m", "jdk-confined", 20),
            tooSlow("large-1m", "jdk-shared"),
            new Result(
                "burst-64k",
                "ashlar-raw",
                1,
                null,
                null,
                3,
                null,
                512L << 20,
                1L << 20,
                1L << 20,
                null,
                null,
                WORK,
                null)));
  }

  private static Result timed(String workload, String allocator, double nanos) {
    return new Result(
        workload, allocator, 1, nanos, nanos - 1, 3, 0.0, null, null, null, null, 1024L, WORK,
        null);
  }

  private static Result tooSlow(String workload, String allocator) {
    return new Result(
        workload,
        allocator,
        1,
        null,
        null,
        0,
        null,
        null,
        null,
        null,
        null,
        16L,
        null,
        "too slow: over 60 s");
  }
}
