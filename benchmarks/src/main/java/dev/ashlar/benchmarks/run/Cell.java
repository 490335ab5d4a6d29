// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.report.Result;
import dev.ashlar.benchmarks.report.Statistics;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What the rounds found out of one allocator under one workload. */
final class Cell {

  private final WorkloadSpec workload;
  private final Arm arm;
  private final int threads;
  private final List<Figures> measured = new ArrayList<>();
  private String tooSlow;
  private String failure;

  /**
   * Makes an empty cell.
   *
   * @param threads how many threads, where the workload leaves a choice
   */
  Cell(WorkloadSpec workload, Arm arm, int threads) {
    this.workload = workload;
    this.arm = arm;
    this.threads = threads;
  }

  @Override
  public String toString() {
    return name(workload, arm);
  }

  static String name(WorkloadSpec workload, Arm arm) {
    return workload.name() + " on " + arm.label();
  }

  Arm arm() {
    return arm;
  }

  /** Whether another round makes sense. */
  boolean goesOn() {
    return tooSlow == null && failure == null;
  }

  void add(Figures figures) {
    measured.add(figures);
  }

  void addTooSlow(String why) {
    tooSlow = measured.isEmpty() ? why : "a later round was " + why;
  }

  void addFailure(String why) {
    failure = why;
  }

  Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /** The figures so far, or why there are none; empty if there is nothing to say or it failed. */
  Optional<Result> result() {
    if (failure != null || (measured.isEmpty() && tooSlow == null)) {
      return Optional.empty();
    }
    List<Double> medians = new ArrayList<>();
    List<Double> samples = new ArrayList<>();
    for (Figures figures : measured) {
      samples.addAll(figures.nsPerOp());
      if (!figures.nsPerOp().isEmpty()) {
        medians.add(Statistics.median(figures.nsPerOp()));
      }
    }
    WorkDone work = measured.isEmpty() ? null : measured.getFirst().work();
    return Optional.of(
        new Result(
            workload.name(),
            arm.label(),
            threadsUsed(),
            medians.isEmpty() ? null : Statistics.median(medians),
            samples.isEmpty() ? null : Statistics.least(samples),
            measured.size(),
            median(Figures::javaBytesPerOp),
            medianBytes(figures -> figures.memory().peak()),
            medianBytes(figures -> figures.memory().free()),
            medianBytes(figures -> figures.memory().idle()),
            medianBytes(figures -> figures.memory().trim()),
            operations(arm),
            work,
            note()));
  }

  private String note() {
    List<String> notes = new ArrayList<>();
    if (tooSlow != null) {
      notes.add(tooSlow);
    }
    Long own = operations(arm);
    Long usual = operations(Arm.NULL);
    if (own != null && !own.equals(usual)) {
      notes.add("runs of " + own + " operations instead of " + usual);
    }
    return notes.isEmpty() ? null : String.join("; ", notes);
  }

  private Long operations(Arm of) {
    return workload.kind() == WorkloadSpec.Kind.TIMED ? of.operations(workload, threads) : null;
  }

  private int threadsUsed() {
    return switch (workload.kind()) {
      case TIMED -> Workloads.timed(workload.name(), threads, 1).threads();
      case COLD_START -> 1;
      case MEMORY -> workload.name().equals(Workloads.BURST_THREADS) ? 32 : 1;
    };
  }

  private Double median(Function<Figures, ? extends Number> figure) {
    List<Double> values = new ArrayList<>();
    for (Figures figures : measured) {
      Number value = figure.apply(figures);
      if (value != null) {
        values.add(value.doubleValue());
      }
    }
    return values.isEmpty() ? null : Statistics.median(values);
  }

  private Long medianBytes(Function<Figures, Long> figure) {
    Double median = median(figure);
    return median == null ? null : Math.round(median);
  }
}
