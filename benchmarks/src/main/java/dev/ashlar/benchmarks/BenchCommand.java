// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks;

import dev.ashlar.benchmarks.report.BenchReport;
import dev.ashlar.benchmarks.report.DocumentWriter;
import dev.ashlar.benchmarks.report.HtmlReport;
import dev.ashlar.benchmarks.report.ReportJson;
import dev.ashlar.benchmarks.report.TextReport;
import dev.ashlar.benchmarks.run.Arm;
import dev.ashlar.benchmarks.run.BenchRun;
import dev.ashlar.benchmarks.run.Effort;
import dev.ashlar.benchmarks.run.EnvironmentFacts;
import dev.ashlar.benchmarks.run.ProcessMeter;
import dev.ashlar.benchmarks.run.Progress;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;

/** {@code ashlar bench}. */
@Command(
    name = "ashlar bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures Ashlar beside other allocators, all in one run.",
      "",
      "Each figure comes from processes of its own; they take turns. Below 1, a ratio says that"
          + " Ashlar is the faster. Figures mean something only when nothing else runs."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it worked",
      "1:a measurement or a check failed",
      "2:the command line is wrong"
    })
final class BenchCommand implements Callable<Integer> {

  private static final int MOST_THREADS = 256;
  private static final int MOST_ROUNDS = 1000;
  private static final List<String> QUICK_WORKLOADS = List.of("churn-1024-64");
  private static final List<String> QUICK_ARMS =
      List.of("ashlar-raw", "ashlar-segment", "jdk-confined", "netty-pooled");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "WORKLOAD",
      description =
          "What to measure: names, beginnings of names such as churn-1024 or batch, or the groups"
              + " core and memory. Default: everything; churn-1024-64 with --quick.")
  private List<String> workloads = List.of();

  @Option(
      names = "--allocators",
      paramLabel = "LIST",
      split = ",",
      description = "Allocators with commas between them. Default: all; four with --quick.")
  private List<String> allocators = List.of();

  @Option(
      names = "--quick",
      description = "Measure less: a first impression of one workload in under a minute.")
  private boolean quick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How many processes measure each figure. Default: 3.")
  private Integer rounds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads of larson, mstress and thread-churn. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the figures as JSON.")
  private Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "Also write a page with charts.")
  private Path html;

  @Option(
      names = "--report",
      paramLabel = "FOLDER",
      description = "Also write README.md, results.json and charts into a folder.")
  private Path report;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "Measure nothing: show the figures of a JSON file.")
  private Path from;

  @Option(names = "--list", description = "List the workloads and the allocators, and do no more.")
  private boolean list;

  @Override
  public Integer call() throws IOException {
    if (list) {
      printList();
      return ExitCode.OK;
    }
    check("--threads", threads, MOST_THREADS);
    check("--rounds", rounds == null ? 1 : rounds, MOST_ROUNDS);
    Stream.of(json, html).forEach(this::checkFile);
    BenchReport figures = from == null ? measure() : read();
    TextReport.print(figures, spec.commandLine().getOut());
    write(figures);
    return figures.environment().get("failed") instanceof Map<?, ?> failed && !failed.isEmpty()
        ? ExitCode.SOFTWARE
        : ExitCode.OK;
  }

  private BenchReport measure() throws IOException {
    CommandLine command = spec.commandLine();
    List<WorkloadSpec> chosen =
        workloads.isEmpty() && !quick
            ? Workloads.all()
            : Selection.workloads(workloads.isEmpty() ? QUICK_WORKLOADS : workloads, command);
    List<Arm> arms =
        allocators.isEmpty() && !quick
            ? List.of(Arm.values())
            : Selection.arms(allocators.isEmpty() ? QUICK_ARMS : allocators, command);
    Effort effort = quick ? Effort.QUICK : Effort.FULL;
    if (rounds != null) {
      effort = effort.withRounds(rounds);
    }
    Map<String, Object> environment = EnvironmentFacts.collect(commandLine(), effort, threads);
    Path folder = Files.createTempDirectory("ashlar-bench");
    try {
      Progress progress =
          new Progress(command.getErr(), isTerminal(), System::nanoTime, effort.guessSeconds());
      BenchRun run =
          new BenchRun(
              new ProcessMeter(effort, threads, folder),
              Arm::whyAbsent,
              progress,
              effort.rounds(),
              threads);
      run.run(chosen, arms);
      environment.put("absent", run.absent());
      environment.put("notApplicable", run.notApplicable());
      environment.put("failed", run.failed());
      return new BenchReport(environment, run.results());
    } finally {
      deleteFiles(folder);
    }
  }

  private BenchReport read() {
    try {
      return ReportJson.read(from);
    } catch (JacksonException e) {
      throw new ParameterException(
          spec.commandLine(), "cannot read " + from + ": " + e.getOriginalMessage(), e);
    }
  }

  private void write(BenchReport figures) throws IOException {
    if (json != null) {
      Files.writeString(json, ReportJson.toText(figures));
    }
    if (html != null) {
      Files.writeString(html, HtmlReport.page(figures));
    }
    if (report != null) {
      DocumentWriter.write(figures, report);
    }
  }

  private String commandLine() {
    List<String> arguments = spec.commandLine().getParseResult().originalArgs();
    return "./ashlar bench" + (arguments.isEmpty() ? "" : " " + String.join(" ", arguments));
  }

  private void printList() {
    PrintWriter out = spec.commandLine().getOut();
    out.println("Workloads:");
    for (WorkloadSpec workload : Workloads.all()) {
      out.printf("  %-20s %s%n", workload.name(), workload.about());
    }
    out.println("Allocators:");
    Arrays.stream(Arm.values())
        .forEach(
            arm ->
                out.printf(
                    "  %-20s %s%n",
                    arm.label(), arm.whyAbsent().map("absent: "::concat).orElse("")));
    out.flush();
  }

  private void check(String option, int value, int greatest) {
    if (value < 1 || value > greatest) {
      throw new ParameterException(
          spec.commandLine(),
          "Invalid value for option '%s': %d is not between 1 and %d"
              .formatted(option, value, greatest));
    }
  }

  /** Says now what would fail only after all rounds. */
  private void checkFile(Path file) {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || !Files.isDirectory(folder)) {
      throw new ParameterException(
          spec.commandLine(),
          "cannot write "
              + file
              + ": "
              + (Files.isDirectory(file) ? "it is a folder" : "there is no folder " + folder));
    }
  }

  private static void deleteFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  @SuppressWarnings("SystemConsoleNull") // it is null in a runtime image without jdk.internal.le
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
