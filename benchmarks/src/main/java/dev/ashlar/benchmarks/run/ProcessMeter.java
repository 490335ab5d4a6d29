// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import java.nio.file.Path;

/** Measures in processes of this machine. */
public final class ProcessMeter implements BenchRun.Meter {

  private final TimeLimit limit;
  private final TimedFork timed;
  private final NativeProgram nativeProgram;

  /**
   * Makes a meter.
   *
   * @param effort how much to measure
   * @param threads how many threads, where a workload leaves a choice
   * @param folder a folder for files of the run
   */
  public ProcessMeter(Effort effort, int threads, Path folder) {
    limit = new TimeLimit(effort.limitSeconds(), TimeLimit.byTheClock());
    timed = new TimedFork(effort, threads, folder);
    nativeProgram = new NativeProgram(effort, threads, folder);
  }

  @Override
  public Figures measure(WorkloadSpec workload, Arm arm) throws MeasuringException {
    return limit.run(() -> measureFreely(workload, arm));
  }

  private Figures measureFreely(WorkloadSpec workload, Arm arm) throws MeasuringException {
    if (arm.family() == Arm.Family.C) {
      return nativeProgram.measure(workload, arm);
    }
    return switch (workload.kind()) {
      case TIMED -> timed.measure(workload, arm);
      case COLD_START -> ColdStart.measure(workload, arm);
      case MEMORY -> MemoryRun.measure(workload, arm);
    };
  }
}
