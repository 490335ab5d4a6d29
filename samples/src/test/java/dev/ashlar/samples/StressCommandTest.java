// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.samples.stress.StressProfile;
import dev.ashlar.samples.stress.StressRun;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class StressCommandTest {

  /** The tool with a run that does not look at this process's memory, which other tests use too. */
  private static CommandLine tool(String failure) {
    return AshlarTool.commandLine()
        .addSubcommand(
            "try",
            new StressCommand(
                (settings, progress) ->
                    new StressRun(
                        settings,
                        StressProfile.DEFAULT::open,
                        allocator -> {
                          if (!failure.isEmpty()) {
                            throw new AssertionError(failure);
                          }
                        },
                        () -> 0,
                        progress)));
  }

  @Test
  void tellsWhatACleanRunDid() {
    ToolRun run =
        ToolRun.of(
            tool(""),
            "try",
            "--operations",
            "2000",
            "--threads",
            "3",
            "--kill-threads",
            "--seed",
            "17");

    assertThat(run.exitCode()).describedAs(run.err()).isZero();
    assertThat(run.out().lines())
        .startsWith(
            "./ashlar stress --operations 2000 --threads 3 --kill-threads --profile default"
                + " --seed 17")
        .endsWith("clean");
    assertThat(run.out())
        .contains("operations: 6,000 in ", "after all was freed: 0 blocks")
        .containsPattern("remote frees: [1-9]")
        .containsPattern("threads: [1-9]")
        .containsPattern("adoptions: \\d");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void tellsAFaultWithTheCommandThatFindsItAgain() {
    ToolRun run =
        ToolRun.of(
            tool("a page in two lists"),
            "try",
            "--operations",
            "100",
            "--threads",
            "2",
            "--virtual",
            "--profile",
            "unchecked",
            "--seed",
            "23");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.errLines())
        .contains(
            "ashlar stress: the allocator does not agree with itself with the blocks of all workers:"
                + " a page in two lists",
            "seed 23; again with: ./ashlar stress --operations 100 --threads 2 --virtual --profile"
                + " unchecked --seed 23");
    assertThat(run.out()).doesNotContain("clean");
  }

  @Test
  void drawsASeedWhereNoneIsGiven() {
    ToolRun run = ToolRun.of(tool(""), "try", "--operations", "1", "--threads", "1");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).containsPattern("--seed \\d+\\R");
  }

  @Test
  void refusesFiguresOutOfRange() {
    for (String option : List.of("--seconds", "--threads", "--operations")) {
      for (String value : List.of("-1", "2000000000000", "x")) {
        ToolRun run = ToolRun.of("stress", option, value);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines().getFirst())
            .contains("Invalid value for option '" + option + "'")
            .contains(value);
      }
    }
  }

  @Test
  void refusesAProfileThatItDoesNotKnow() {
    ToolRun run = ToolRun.of("stress", "--profile", "none");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines().getFirst())
        .contains("unknown profile 'none': use default, unchecked");
  }
}
