// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks;

import dev.ashlar.benchmarks.report.BenchReport;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Whether a run can go on where an earlier one was cut off. */
final class Resumption {

  private static final String COMMAND = "command";

  /** What figures depend on, and a run must share with the one that it goes on with. */
  private static final List<String> SHARED =
      List.of(
          "version",
          "operatingSystem",
          "architecture",
          "processor",
          "processors",
          "physicalMemoryBytes",
          "javaVersion",
          "javaVendor",
          "rounds",
          "samplesPerRound",
          "sampleMillis",
          "limitSeconds",
          "threads");

  private Resumption() {}

  /** What is different, if something is. */
  static Optional<String> whyNot(BenchReport earlier, Map<String, Object> facts) {
    return SHARED.stream()
        .filter(name -> !same(earlier.environment().get(name), facts.get(name)))
        .map(
            name ->
                name + " is " + facts.get(name) + ", and was " + earlier.environment().get(name))
        .findFirst();
  }

  /** Names both commands. */
  static void note(BenchReport earlier, Map<String, Object> facts) {
    facts.put(COMMAND, earlier.environment().get(COMMAND) + "; " + facts.get(COMMAND));
  }

  /** Numbers come back from JSON with other types. */
  private static boolean same(Object before, Object after) {
    return Objects.toString(before).equals(Objects.toString(after));
  }
}
