// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.List;
import java.util.Map;

/**
 * Starts a JVM and waits for its blocks. Both processes read the same clock. The resident size is
 * the whole process's after the blocks, and the bytes of Java are those alive on its heap.
 */
final class ColdStart {

  private ColdStart() {}

  static Figures measure(WorkloadSpec workload, Arm arm) throws MeasuringException {
    String count = workload.name().equals(Workloads.COLD_START_FIRST) ? "1" : "100000";
    List<String> command =
        ChildJvm.command(arm, List.of(), ColdStartProbe.class, arm.label(), count);
    long begin = System.nanoTime();
    String output = Processes.run(command, Map.of());
    List<Long> printed =
        output.lines().filter(line -> line.matches("\\d+")).map(Long::valueOf).toList();
    if (printed.size() != 3) {
      throw new MeasuringException("did not print its figures");
    }
    return new Figures(
        List.of((double) (printed.get(0) - begin)),
        (double) printed.get(2),
        new Figures.ResidentMemory(printed.get(1), null, null, null),
        WorkLine.find(output));
  }
}
