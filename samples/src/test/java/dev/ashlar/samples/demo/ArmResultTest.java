// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import static dev.ashlar.samples.demo.Results.result;
import static dev.ashlar.samples.demo.Results.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.samples.index.AllocatorArm;
import dev.ashlar.samples.index.BlockUsage;
import dev.ashlar.samples.index.WindowBuild;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArmResultTest {

  @Test
  void takesTheMedianOfTheTimesAndTheSizesOfTheLastRound() throws DemoFailure {
    ArmResult result =
        ArmResult.of(
            AllocatorArm.ASHLAR_RAW,
            List.of(
                round(50, 11_000, 10_500), round(10, 12_000, 10_600), round(30, 12_500, 10_700)));

    assertThat(result.nanos()).isEqualTo(30);
    assertThat(result.fastestNanos()).isEqualTo(10);
    assertThat(result.slowestNanos()).isEqualTo(50);
    assertThat(result.rssBaseBytes()).isEqualTo(10_000);
    assertThat(result.rssPeakBytes()).isEqualTo(2500);
    assertThat(result.rssAfterBytes()).isEqualTo(700);
    assertThat(result.liveBytes()).isEqualTo(4096);
    assertThat(result.operations()).isEqualTo(1000);
    assertThat(result.documents()).isEqualTo(20);
  }

  @Test
  void takesTheMiddleOfTwoTimes() throws DemoFailure {
    List<Round> rounds = List.of(round(50, 0, 0), round(10, 0, 0));

    assertThat(ArmResult.of(AllocatorArm.JDK_ARENA, rounds).nanos()).isEqualTo(30);
  }

  @Test
  void isNeverNegativeWhenTheProcessHasShrunk() throws DemoFailure {
    ArmResult result = ArmResult.of(AllocatorArm.JDK_ARENA, List.of(round(1, 9000, 8000)));

    assertThat(result.rssPeakBytes()).isZero();
    assertThat(result.rssAfterBytes()).isZero();
  }

  @Test
  void refusesRoundsWithDifferentIndexes() {
    BlockUsage usage = new BlockUsage(1000, 0, 0, 4096);
    Round other = new Round(new WindowBuild.Result(1, 20, usage, "other"), 0, 0, 0);

    assertThatThrownBy(() -> ArmResult.of(AllocatorArm.MALLOC_FFM, List.of(round(1, 0, 0), other)))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContaining("malloc-ffm");
  }

  @Test
  void agreesWithResultsOfTheSameWork() {
    ArmResult raw = result(AllocatorArm.ASHLAR_RAW, "a");

    assertThat(ArmResult.agree(List.of(raw))).isTrue();
    assertThat(ArmResult.agree(List.of(raw, result(AllocatorArm.JDK_ARENA, "a")))).isTrue();
    assertThat(ArmResult.agree(List.of(raw, result(AllocatorArm.JDK_ARENA, "b")))).isFalse();
  }

  @Test
  void readsARoundFromItsLine() {
    Round round = round(50, 11_000, 10_500);

    assertThat(Round.fromLine(round.toLine())).isEqualTo(round);
    assertThatThrownBy(() -> Round.fromLine("1 2")).isInstanceOf(IllegalArgumentException.class);
  }
}
