// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.workloads.Workloads;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ParsingTest {

  private static final WorkDone WORK = new WorkDone(2, 32, 2, 0, 7);

  @Test
  void residentSizeIsInKibibytes() {
    assertThat(ResidentSize.parse("5555-7777 ---p [rollup]\nRss:     1234 kB\nPss: 1 kB\n"))
        .isEqualTo(1234L << 10);
  }

  @Test
  void timedFiguresOfTheCProgram() {
    Figures figures =
        NativeProgram.figures(
            Workloads.named("pingpong").orElseThrow(),
            new JsonMapper()
                .readTree(
                    """
                    [{"allocator":"malloc","name":"pingpong","median":8.5,"min":7.0,
                      "unit":"ns/pair","samples":21,"note":""}]
                    """),
            0,
            WORK);
    assertThat(figures.nsPerOp()).contains(8.5, 7.0);
  }

  @Test
  void coldStartOfTheCProgramIsFromBeforeItsStart() {
    Figures figures =
        NativeProgram.figures(
            Workloads.named("cold-start-first").orElseThrow(),
            new JsonMapper()
                .readTree(
                    """
                    [{"name":"cold-start-first/clock","median":5000000.0,"note":""},
                     {"name":"cold-start-first/rss","median":1.5,"note":""}]
                    """),
            3_000_000,
            WORK);
    assertThat(figures.nsPerOp()).containsExactly(2_000_000.0);
    assertThat(figures.memory().peak()).isEqualTo(3L << 19);
    assertThat(figures.work()).isEqualTo(WORK);
  }

  @Test
  void whatWasDoneIsFoundAmongOtherLines() {
    assertThat(WorkLine.find("stage peak 5\nwork 2 32 2 0 7\n")).isEqualTo(WORK);
    assertThat(WorkLine.find("stage peak 5\n")).isNull();
  }

  @Test
  void memoryFiguresOfTheCProgram() {
    Figures figures =
        NativeProgram.figures(
            Workloads.named("burst-64k").orElseThrow(),
            new JsonMapper()
                .readTree(
                    """
                    [{"name":"burst-64k/peak","median":512.0,"note":""},
                     {"name":"burst-64k/freed","median":2.0,"note":""},
                     {"name":"burst-64k/idle3s","median":1.0,"note":""},
                     {"name":"burst-64k/trim","median":1.0,"note":"none"}]
                    """),
            0,
            WORK);
    assertThat(figures.memory())
        .isEqualTo(new Figures.ResidentMemory(512L << 20, 2L << 20, 1L << 20, null));
  }
}
