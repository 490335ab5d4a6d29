// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks;

import dev.ashlar.benchmarks.report.BenchReport;
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
import java.util.Optional;
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
  private static final int MOST_SECONDS = 3600;
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
      description = "How many processes measure each figure. Default: 2; 3 with --quick.")
  private Integer rounds;

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      description =
          "How long a process may take before it is ended, and its figure called too slow. Default:"
              + " 60.")
  private Integer limit;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads of larson, mstress and thread-churn. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures as JSON, after each round.")
  private Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "Also write a page with charts.")
  private Path html;

  @Option(
      names = "--report",
      paramLabel = "FOLDER",
      description =
          "Also write README.md, results.json and charts into a folder, after each round.")
  private Path report;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "Measure nothing: show the figures of a JSON file.")
  private Path from;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Go on where the run that wrote this JSON file was cut off: workloads that it has come to"
              + " the end of are not measured again.")
  private Path resume;

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
    check("--limit", limit == null ? 1 : limit, MOST_SECONDS);
    Stream.of(json, html).forEach(this::checkFile);
    Outputs outputs = new Outputs(json, html, report);
    BenchReport figures = from == null ? measure(outputs) : read(from);
    TextReport.print(figures, spec.commandLine().getOut());
    outputs.write(figures);
    return figures.environment().get("failed") instanceof Map<?, ?> failed && !failed.isEmpty()
        ? ExitCode.SOFTWARE
        : ExitCode.OK;
  }

  private BenchReport measure(Outputs outputs) throws IOException {
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
    if (limit != null) {
      effort = effort.withLimit(limit);
    }
    Map<String, Object> facts = EnvironmentFacts.collect(commandLine(), effort, threads);
    BenchReport earlier = resume == null ? null : readEarlier(facts);
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
      if (earlier != null) {
        run.keep(earlier);
      }
      run.run(chosen, arms, () -> writeSoFar(run.report(facts), outputs));
      return run.report(facts);
    } finally {
      deleteFiles(folder);
    }
  }

  private BenchReport read(Path file) {
    try {
      return ReportJson.read(file);
    } catch (JacksonException e) {
      throw new ParameterException(
          spec.commandLine(), "cannot read " + file + ": " + e.getOriginalMessage(), e);
    }
  }

  private BenchReport readEarlier(Map<String, Object> facts) {
    BenchReport earlier = read(resume);
    Optional<String> whyNot = Resumption.whyNot(earlier, facts);
    if (whyNot.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "cannot go on with " + resume + ": " + whyNot.get());
    }
    Resumption.note(earlier, facts);
    return earlier;
  }

  /** What stops it may be over at the end of the run, which writes again. */
  private void writeSoFar(BenchReport figures, Outputs outputs) {
    try {
      outputs.write(figures);
    } catch (IOException e) {
      spec.commandLine().getErr().println("ashlar bench: cannot write the figures so far: " + e);
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
