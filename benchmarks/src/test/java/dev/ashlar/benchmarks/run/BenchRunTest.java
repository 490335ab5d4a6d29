// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.report.Result;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BenchRunTest {

  private static final WorkDone WORK = new WorkDone(10, 100, 10, 0);

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
                note(arm, 1, arm == Arm.JDK_CONFINED ? new WorkDone(9, 90, 9, 0) : WORK),
            Arm.ASHLAR_RAW,
            Arm.JDK_CONFINED);
    assertThat(run.failed().get("pingpong on jdk-confined")).contains("other work");
    assertThat(run.results()).extracting(Result::allocator).containsExactly("ashlar-raw");
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
    run.run(named("larson"), List.of(Arm.ARROW, Arm.JDK_CONFINED, Arm.ASHLAR_RAW));
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
    BenchRun run = new BenchRun(meter, arm -> Optional.empty(), progress(), 3, 2);
    run.run(named("pingpong"), List.of(arms));
    return run;
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
