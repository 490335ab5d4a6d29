// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the memory program in a JVM whose Java heap is all there from the start, so that the
 * resident size changes by what is off the heap alone.
 */
final class MemoryRun {

  private static final List<String> HEAP =
      List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

  private MemoryRun() {}

  static Figures measure(WorkloadSpec workload, Arm arm) throws MeasuringException {
    String output =
        Processes.run(
            ChildJvm.command(arm, HEAP, MemoryProbe.class, workload.name(), arm.label()), Map.of());
    Map<String, Long> stages = new HashMap<>();
    output
        .lines()
        .filter(line -> line.startsWith("stage "))
        .map(line -> line.split(" ", -1))
        .forEach(words -> stages.put(words[1], Long.valueOf(words[2])));
    return new Figures(
        List.of(),
        null,
        new Figures.ResidentMemory(
            stages.get("peak"), stages.get("free"), stages.get("idle"), stages.get("trim")),
        WorkLine.find(output));
  }
}
