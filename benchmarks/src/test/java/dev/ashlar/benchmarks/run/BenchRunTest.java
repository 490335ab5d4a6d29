// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.report.BenchReport;
import dev.ashlar.benchmarks.report.Result;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BenchRunTest {

  private static final WorkDone WORK = new WorkDone(10, 100, 10, 0, 5);

  private final List<String> order = new ArrayList<>();
  private final StringWriter shown = new StringWriter();

  @Test
  void roundsGoThroughTheAllocatorsInTurn() {
    run((workload, arm) -> note(arm, 5, WORK), Arm.ASHLAR_RAW, Arm.JDK_CONFINED);
    assertThat(order)
        .containsExactly(
            "ashlar-raw",
            "jdk-confined",
            "ashlar-raw",
            "jdk-confined",
            "ashlar-raw",
            "jdk-confined");
  }

  @Test
  void figureIsTheMedianOfTheRoundsMedians() {
    double[] rounds = {10, 30, 20};
    BenchRun run = run((workload, arm) -> note(arm, rounds[order.size()], WORK), Arm.ASHLAR_RAW);
    Result result = run.results().getFirst();
    assertThat(result.nsPerOp()).isEqualTo(20);
    assertThat(result.minNsPerOp()).isEqualTo(9);
    assertThat(result.rounds()).isEqualTo(3);
    assertThat(result.rssPeakBytes()).isNull();
  }

  @Test
  void anAllocatorThatDidOtherWorkIsRefused() {
    BenchRun run =
        run(
            (workload, arm) ->
                note(arm, 1, arm == Arm.JDK_CONFINED ? new WorkDone(9, 90, 9, 0, 5) : WORK),
            Arm.ASHLAR_RAW,
            Arm.JDK_CONFINED);
    assertThat(run.failed().get("pingpong on jdk-confined")).contains("other work");
    assertThat(run.results()).extracting(Result::allocator).containsExactly("ashlar-raw");
  }

  @Test
  void anAllocatorThatDoesNotSayWhatItDidIsRefused() {
    BenchRun run = run((workload, arm) -> note(arm, 1, null), Arm.ASHLAR_RAW);
    assertThat(run.failed().get("pingpong on ashlar-raw")).contains("did not say");
    assertThat(run.results()).isEmpty();
  }

  @Test
  void whatIsTooSlowIsMeasuredOnceAndHasARowThatSaysSo() {
    BenchRun run =
        run(
            (workload, arm) -> {
              Figures figures = note(arm, 1, WORK);
              if (arm == Arm.JDK_CONFINED) {
                throw new TooSlowException(60, null);
              }
              return figures;
            },
            Arm.ASHLAR_RAW,
            Arm.JDK_CONFINED);
    assertThat(order).containsOnlyOnce("jdk-confined");
    assertThat(run.failed()).isEmpty();
    Result row = run.results().get(1);
    assertThat(row.allocator()).isEqualTo("jdk-confined");
    assertThat(row.nsPerOp()).isNull();
    assertThat(row.rounds()).isZero();
    assertThat(row.note()).isEqualTo("too slow: over 60 s");
  }

  @Test
  void whatBecomesTooSlowKeepsTheFiguresOfEarlierRounds() {
    BenchRun run =
        run(
            (workload, arm) -> {
              if (order.size() == 1) {
                throw new TooSlowException(60, null);
              }
              return note(arm, 4, WORK);
            },
            Arm.ASHLAR_RAW);
    Result row = run.results().getFirst();
    assertThat(row.nsPerOp()).isEqualTo(4);
    assertThat(row.rounds()).isEqualTo(1);
    assertThat(row.note()).isEqualTo("a later round was too slow: over 60 s");
  }

  @Test
  void shorterRunsOfASlowAllocatorAreNoted() {
    BenchRun run = newRun((workload, arm) -> note(arm, 1, WORK), 1);
    run.run(named("larson"), List.of(Arm.ASHLAR_RAW, Arm.JDK_SHARED), () -> {});
    assertThat(run.results())
        .extracting(Result::operationsPerRun)
        .containsExactly(100_000L, 1_000L);
    assertThat(run.results())
        .extracting(Result::note)
        .containsExactly(null, "runs of 1000 operations instead of 100000");
  }

  @Test
  void afterEachRoundTheFiguresSoFarAreThere() {
    List<String> seen = new ArrayList<>();
    BenchRun run = newRun((workload, arm) -> note(arm, 1, WORK), 2);
    List<WorkloadSpec> both = List.of(named("pingpong").getFirst(), named("request").getFirst());
    run.run(
        both,
        List.of(Arm.ASHLAR_RAW),
        () -> {
          BenchReport soFar = run.report(Map.of());
          seen.add(soFar.unfinished() + " " + soFar.results().getLast().rounds());
        });
    assertThat(seen).containsExactly("[pingpong, request] 1", "[request] 2", "[request] 1", "[] 2");
    assertThat(run.report(Map.of()).environment()).doesNotContainKey(BenchReport.UNFINISHED);
  }

  @Test
  void workloadsThatAnEarlierRunFinishedAreKept() {
    BenchRun cutOff = newRun((workload, arm) -> note(arm, 3, WORK), 1);
    List<BenchReport> reports = new ArrayList<>();
    List<WorkloadSpec> all = List.of(named("pingpong").getFirst(), named("request").getFirst());
    List<Arm> arms = List.of(Arm.ASHLAR_RAW, Arm.JDK_CONFINED);
    cutOff.run(all, arms, () -> reports.add(cutOff.report(Map.of())));
    order.clear();

    BenchRun resumed = newRun((workload, arm) -> note(arm, 9, WORK), 1);
    resumed.keep(reports.getFirst());
    resumed.run(all, arms, () -> {});
    assertThat(order).containsExactly("ashlar-raw", "jdk-confined");
    assertThat(resumed.results())
        .extracting(row -> row.workload() + " " + row.nsPerOp())
        .containsExactly("pingpong 3.0", "pingpong 3.0", "request 9.0", "request 9.0");

    order.clear();
    BenchRun withMore = newRun((workload, arm) -> note(arm, 9, WORK), 1);
    withMore.keep(reports.getLast());
    withMore.run(all, List.of(Arm.ASHLAR_RAW, Arm.ARROW), () -> {});
    assertThat(order).containsExactly("ashlar-raw", "arrow", "ashlar-raw", "arrow");
    assertThat(withMore.results()).hasSize(4);
  }

  @Test
  void aFailureIsNotedAndTheOthersGoOn() {
    BenchRun run =
        run(
            (workload, arm) -> {
              if (arm == Arm.ARROW) {
                throw new MeasuringException("broken");
              }
              return note(arm, 1, WORK);
            },
            Arm.ARROW,
            Arm.ASHLAR_RAW);
    assertThat(run.failed()).containsEntry("pingpong on arrow", "broken");
    assertThat(run.results()).hasSize(1);
  }

  @Test
  void whatIsAbsentOrUnableIsNamedWithItsReason() {
    BenchRun run =
        new BenchRun(
            (workload, arm) -> note(arm, 1, WORK),
            arm -> arm == Arm.ARROW ? Optional.of("get it there") : Optional.empty(),
            progress(),
            1,
            2);
    run.run(named("larson"), List.of(Arm.ARROW, Arm.JDK_CONFINED, Arm.ASHLAR_RAW), () -> {});
    assertThat(run.absent()).containsEntry("arrow", "get it there");
    assertThat(run.notApplicable()).containsOnlyKeys("larson on jdk-confined");
    assertThat(order).containsExactly("ashlar-raw");
  }

  @Test
  void progressTellsTheTimeLeft() {
    run((workload, arm) -> note(arm, 1, WORK), Arm.ASHLAR_RAW);
    assertThat(shown.toString().lines())
        .first()
        .asString()
        .isEqualTo("[1/3] about 30 s left: round 1 of 3, pingpong on ashlar-raw");
    assertThat(Progress.left(600)).isEqualTo("about 10 min");
  }

  private BenchRun run(BenchRun.Meter meter, Arm... arms) {
    BenchRun run = newRun(meter, 3);
    run.run(named("pingpong"), List.of(arms), () -> {});
    return run;
  }

  private BenchRun newRun(BenchRun.Meter meter, int rounds) {
    return new BenchRun(meter, arm -> Optional.empty(), progress(), rounds, 2);
  }

  private Progress progress() {
    return new Progress(new PrintWriter(shown), false, () -> 0, 10);
  }

  private Figures note(Arm arm, double nanos, WorkDone work) {
    order.add(arm.label());
    return new Figures(
        List.of(nanos, nanos + 1, nanos - 1), 0.0, Figures.ResidentMemory.NONE, work);
  }

  private static List<WorkloadSpec> named(String name) {
    return List.of(Workloads.named(name).orElseThrow());
  }
}
