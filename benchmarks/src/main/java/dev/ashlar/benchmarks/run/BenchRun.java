// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.report.Result;
import dev.ashlar.benchmarks.report.Statistics;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A run: for each workload, rounds that go through all allocators (A B C, A B C, ...). */
public final class BenchRun {

  /** Measures one workload on one allocator in a process of its own. */
  public interface Meter {
    Figures measure(WorkloadSpec workload, Arm arm) throws MeasuringException;
  }

  private final Meter meter;
  private final Function<Arm, Optional<String>> absence;
  private final Progress progress;
  private final int rounds;
  private final int threads;
  private final Map<String, String> absent = new LinkedHashMap<>();
  private final Map<String, String> notApplicable = new LinkedHashMap<>();
  private final Map<String, String> failed = new LinkedHashMap<>();
  private final List<Result> results = new ArrayList<>();

  /**
   * Makes a run.
   *
   * @param meter how to measure
   * @param absence why an allocator is absent, if it is
   * @param progress told of each step
   * @param rounds how many rounds
   * @param threads how many threads, where a workload leaves a choice
   */
  public BenchRun(
      Meter meter,
      Function<Arm, Optional<String>> absence,
      Progress progress,
      int rounds,
      int threads) {
    this.meter = meter;
    this.absence = absence;
    this.progress = progress;
    this.rounds = rounds;
    this.threads = threads;
  }

  /** Measures. */
  public void run(List<WorkloadSpec> workloads, List<Arm> arms) {
    List<Arm> present = new ArrayList<>();
    for (Arm arm : arms) {
      absence
          .apply(arm)
          .ifPresentOrElse(reason -> absent.put(arm.label(), reason), () -> present.add(arm));
    }
    Map<WorkloadSpec, List<Arm>> plan = new LinkedHashMap<>();
    int steps = 0;
    for (WorkloadSpec workload : workloads) {
      List<Arm> able = present.stream().filter(arm -> isAble(workload, arm)).toList();
      plan.put(workload, able);
      steps += able.size() * rounds;
    }
    progress.begin(steps);
    plan.forEach(this::run);
    progress.end();
  }

  public List<Result> results() {
    return List.copyOf(results);
  }

  /** Allocators that are not on this machine, and how to get them. */
  public Map<String, String> absent() {
    return absent;
  }

  /** Workloads that allocators cannot do, and why. */
  public Map<String, String> notApplicable() {
    return notApplicable;
  }

  /** What went wrong. */
  public Map<String, String> failed() {
    return failed;
  }

  private boolean isAble(WorkloadSpec workload, Arm arm) {
    Optional<String> whyNot = arm.whyNot(workload);
    whyNot.ifPresent(reason -> notApplicable.put(key(workload, arm), reason));
    return whyNot.isEmpty();
  }

  private void run(WorkloadSpec workload, List<Arm> arms) {
    Map<Arm, List<Figures>> figures = new LinkedHashMap<>();
    arms.forEach(arm -> figures.put(arm, new ArrayList<>()));
    WorkDone agreed = null;
    for (int round = 1; round <= rounds; round++) {
      for (Arm arm : arms) {
        progress.step("round " + round + " of " + rounds + ", " + key(workload, arm));
        if (failed.containsKey(key(workload, arm))) {
          continue;
        }
        try {
          Figures measured = meter.measure(workload, arm);
          agreed = agreed == null ? measured.work() : agreed;
          checkWork(agreed, measured.work());
          figures.get(arm).add(measured);
        } catch (MeasuringException e) {
          failed.put(key(workload, arm), e.getMessage());
        }
      }
    }
    figures.forEach(
        (arm, measured) -> {
          if (!measured.isEmpty() && !failed.containsKey(key(workload, arm))) {
            results.add(summary(workload, arm, measured));
          }
        });
  }

  private static void checkWork(WorkDone agreed, WorkDone done) throws MeasuringException {
    if (done != null && !done.equals(agreed)) {
      throw new MeasuringException("did other work than the others: " + done + ", not " + agreed);
    }
  }

  private Result summary(WorkloadSpec workload, Arm arm, List<Figures> measured) {
    List<Double> medians = new ArrayList<>();
    List<Double> samples = new ArrayList<>();
    for (Figures figures : measured) {
      samples.addAll(figures.nsPerOp());
      if (!figures.nsPerOp().isEmpty()) {
        medians.add(Statistics.median(figures.nsPerOp()));
      }
    }
    return new Result(
        workload.name(),
        arm.label(),
        threadsOf(workload),
        medians.isEmpty() ? null : Statistics.median(medians),
        samples.isEmpty() ? null : Statistics.least(samples),
        measured.size(),
        median(measured, Figures::javaBytesPerOp),
        medianBytes(measured, figures -> figures.memory().peak()),
        medianBytes(measured, figures -> figures.memory().free()),
        medianBytes(measured, figures -> figures.memory().idle()),
        medianBytes(measured, figures -> figures.memory().trim()));
  }

  private int threadsOf(WorkloadSpec workload) {
    return switch (workload.kind()) {
      case TIMED -> Workloads.timed(workload.name(), threads).threads();
      case COLD_START -> 1;
      case MEMORY -> workload.name().equals(Workloads.BURST_THREADS) ? 32 : 1;
    };
  }

  private static Double median(List<Figures> measured, Function<Figures, ? extends Number> figure) {
    List<Double> values = new ArrayList<>();
    for (Figures figures : measured) {
      Number value = figure.apply(figures);
      if (value != null) {
        values.add(value.doubleValue());
      }
    }
    return values.isEmpty() ? null : Statistics.median(values);
  }

  private static Long medianBytes(List<Figures> measured, Function<Figures, Long> figure) {
    Double median = median(measured, figure);
    return median == null ? null : Math.round(median);
  }

  private static String key(WorkloadSpec workload, Arm arm) {
    return workload.name() + " on " + arm.label();
  }
}
