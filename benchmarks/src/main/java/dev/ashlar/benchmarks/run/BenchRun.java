// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.report.BenchReport;
import dev.ashlar.benchmarks.report.Result;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
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
  private final List<WorkloadSpec> unfinished = new ArrayList<>();
  private final List<Result> kept = new ArrayList<>();
  private final Map<WorkloadSpec, List<Cell>> plan = new LinkedHashMap<>();

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

  /**
   * Keeps the figures of an earlier run: workloads that it finished with all allocators that are
   * asked for are not measured again. Called before {@link #run}.
   */
  public void keep(BenchReport earlier) {
    earlier.results().stream()
        .filter(result -> !earlier.unfinished().contains(result.workload()))
        .forEach(kept::add);
  }

  /**
   * Measures.
   *
   * @param workloads the workloads, in their order
   * @param arms the allocators, in their order
   * @param afterRound called after each round of a workload
   */
  public void run(List<WorkloadSpec> workloads, List<Arm> arms, Runnable afterRound) {
    List<Arm> present = new ArrayList<>();
    for (Arm arm : arms) {
      absence
          .apply(arm)
          .ifPresentOrElse(reason -> absent.put(arm.label(), reason), () -> present.add(arm));
    }
    int steps = 0;
    for (WorkloadSpec workload : workloads) {
      List<Cell> cells =
          present.stream()
              .filter(arm -> isAble(workload, arm))
              .map(arm -> new Cell(workload, arm, threads))
              .toList();
      plan.put(workload, cells);
      if (!isKept(workload, present)) {
        unfinished.add(workload);
        steps += cells.size() * rounds;
      }
    }
    kept.removeIf(result -> unfinished.stream().anyMatch(w -> w.name().equals(result.workload())));
    progress.begin(steps);
    for (WorkloadSpec workload : List.copyOf(unfinished)) {
      measure(workload, plan.get(workload), afterRound);
    }
    progress.end();
  }

  /** The figures so far, in the order of the run. */
  public List<Result> results() {
    List<Result> results = new ArrayList<>();
    plan.forEach(
        (workload, cells) -> {
          kept.stream().filter(row -> row.workload().equals(workload.name())).forEach(results::add);
          cells.forEach(cell -> cell.result().ifPresent(results::add));
        });
    return results;
  }

  /**
   * The outcome so far.
   *
   * @param facts what the figures depend on
   */
  public BenchReport report(Map<String, Object> facts) {
    Map<String, Object> environment = new LinkedHashMap<>(facts);
    if (!unfinished.isEmpty()) {
      environment.put(BenchReport.UNFINISHED, unfinished.stream().map(WorkloadSpec::name).toList());
    }
    environment.put("absent", absent);
    environment.put("notApplicable", notApplicable);
    environment.put("failed", failed());
    return new BenchReport(environment, results());
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
    Map<String, String> failed = new LinkedHashMap<>();
    for (List<Cell> cells : plan.values()) {
      cells.forEach(cell -> cell.failure().ifPresent(why -> failed.put(cell.toString(), why)));
    }
    return failed;
  }

  private boolean isAble(WorkloadSpec workload, Arm arm) {
    Optional<String> whyNot = arm.whyNot(workload);
    whyNot.ifPresent(reason -> notApplicable.put(Cell.name(workload, arm), reason));
    return whyNot.isEmpty();
  }

  private boolean isKept(WorkloadSpec workload, List<Arm> present) {
    return present.stream()
        .filter(arm -> arm.whyNot(workload).isEmpty())
        .allMatch(
            arm ->
                kept.stream()
                    .anyMatch(
                        row ->
                            row.workload().equals(workload.name())
                                && row.allocator().equals(arm.label())));
  }

  private void measure(WorkloadSpec workload, List<Cell> cells, Runnable afterRound) {
    WorkDone agreed = null;
    for (int round = 1; round <= rounds; round++) {
      for (Cell cell : cells) {
        progress.step("round " + round + " of " + rounds + ", " + cell);
        if (cell.goesOn()) {
          agreed = measure(workload, cell, agreed);
        }
      }
      if (round == rounds) {
        unfinished.remove(workload);
      }
      afterRound.run();
    }
  }

  /** Returns the work that the allocators agree on. */
  private WorkDone measure(WorkloadSpec workload, Cell cell, WorkDone agreed) {
    try {
      Figures measured = meter.measure(workload, cell.arm());
      WorkDone done = measured.work();
      if (done == null) {
        throw new MeasuringException("did not say what work it did");
      }
      if (agreed != null && !done.equals(agreed)) {
        throw new MeasuringException("did other work than the others: " + done + ", not " + agreed);
      }
      cell.add(measured);
      return done;
    } catch (TooSlowException e) {
      cell.addTooSlow(e.getMessage());
    } catch (MeasuringException e) {
      cell.addFailure(e.getMessage());
    }
    return agreed;
  }
}
