// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.benchmarks.report.BenchReport;
import dev.ashlar.benchmarks.report.ReportJson;
import dev.ashlar.benchmarks.run.Effort;
import dev.ashlar.benchmarks.run.EnvironmentFacts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void unknownWorkloadIsRefusedWithTheKnownOnes() {
    assertThat(run("pingpang")).isEqualTo(2);
    assertThat(err.toString()).contains("unknown workload 'pingpang'", "pingpong", "burst-64k");
  }

  @Test
  void unknownAllocatorIsRefusedWithTheKnownOnes() {
    assertThat(run("pingpong", "--allocators", "ashlar-raw,nedmalloc")).isEqualTo(2);
    assertThat(err.toString()).contains("unknown allocator 'nedmalloc'", "native-tcmalloc");
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThat(run("pingpong", "--threads", "0")).isEqualTo(2);
    assertThat(run("pingpong", "--rounds", "0")).isEqualTo(2);
    assertThat(run("pingpong", "--threads", "many")).isEqualTo(2);
    assertThat(run("pingpong", "--limit", "0")).isEqualTo(2);
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedBeforeMeasuring(@TempDir Path folder) {
    assertThat(run("pingpong", "--json", folder.toString())).isEqualTo(2);
    assertThat(run("pingpong", "--html", folder.resolve("no/page.html").toString())).isEqualTo(2);
  }

  @Test
  void namesSelectOneManyOrAGroup() {
    assertThat(selected("churn-1024-64")).isEqualTo(1);
    assertThat(selected("churn-1024")).isEqualTo(5);
    assertThat(selected("churn", "churn-1024-64")).isEqualTo(10);
    assertThat(selected("core")).isEqualTo(13);
    assertThat(selected("memory")).isEqualTo(3);
  }

  @Test
  void listNamesEverything() {
    assertThat(run("--list")).isZero();
    assertThat(out.toString()).contains("virtual-threads", "netty-adaptive");
  }

  @Test
  void figuresCanBeShownAgain(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("results.json");
    Files.writeString(
        file,
        """
        {"environment": {"date": "2026-01-01"}, "results": [{"workload": "pingpong",
         "allocator": "ashlar-raw", "threads": 1, "nsPerOp": 7.5, "minNsPerOp": 7.0, "rounds": 5}]}
        """);
    Path page = folder.resolve("page.html");
    assertThat(run("--from", file.toString(), "--html", page.toString())).isZero();
    assertThat(out.toString()).contains("7.50 ns");
    assertThat(page).content().contains("7.50 ns");
    assertThat(run("--from", folder.resolve("none.json").toString())).isEqualTo(2);
  }

  @Test
  void aRunOfAnotherMachineIsNotGoneOnWith(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("results.json");
    Files.writeString(file, "{\"environment\": {\"version\": \"0.0.1\"}, \"results\": []}");
    assertThat(run("pingpong", "--resume", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("cannot go on with", "and was 0.0.1");
    assertThat(run("pingpong", "--resume", folder.resolve("none.json").toString())).isEqualTo(2);
  }

  @Test
  void aRunOfTheSameMachineAndEffortIsGoneOnWith(@TempDir Path folder) throws Exception {
    Map<String, Object> facts = EnvironmentFacts.collect("./ashlar bench", Effort.FULL, 2);
    Path file = folder.resolve("results.json");
    Files.writeString(file, ReportJson.toText(new BenchReport(facts, List.of())));
    BenchReport earlier = ReportJson.read(file);
    assertThat(Resumption.whyNot(earlier, facts)).isEmpty();

    Map<String, Object> others =
        EnvironmentFacts.collect("./ashlar bench --rounds=5", Effort.FULL.withRounds(5), 2);
    assertThat(Resumption.whyNot(earlier, others)).hasValue("rounds is 5, and was 2");
  }

  private int selected(String... names) {
    return Selection.workloads(List.of(names), commandLine()).size();
  }

  private int run(String... arguments) {
    return commandLine().execute(arguments);
  }

  private CommandLine commandLine() {
    return BenchTool.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
  }
}
