// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import dev.ashlar.alloc.profiles.Ashlar;
import dev.ashlar.alloc.profiles.Environment;
import dev.ashlar.samples.demo.DemoFailure;
import dev.ashlar.samples.demo.DemoJson;
import dev.ashlar.samples.demo.DemoReport;
import dev.ashlar.samples.demo.DemoRun;
import dev.ashlar.samples.demo.DemoTable;
import dev.ashlar.samples.demo.Progress;
import dev.ashlar.samples.index.AllocatorArm;
import dev.ashlar.samples.text.Corpus;
import dev.ashlar.samples.text.CorpusBuilder;
import dev.ashlar.samples.text.IoProblem;
import dev.ashlar.samples.text.TextInputs;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ashlar demo}: an off-heap inverted index over real text, on several allocators. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    versionProvider = ToolVersion.class,
    description = {
      "Indexes text off the heap on several allocators and compares them.",
      "",
      "Every word, posting list and document is a block. Documents leave again when newer ones"
          + " come, so blocks are allocated, resized and freed all the time. Each allocator runs"
          + " in a JVM of its own; they take turns."
    })
final class DemoCommand implements Callable<Integer> {

  private static final int MAX_LIMIT = 512;
  private static final int MAX_WINDOW = 10_000_000;
  private static final int MAX_ROUNDS = 1000;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description =
          "Files, folders and zips to index; the sources of this JDK, or its legal notices, if none"
              + " is named.")
  private List<Path> paths = List.of();

  @Option(
      names = "--allocator",
      paramLabel = "NAMES",
      split = ",",
      converter = ArmNames.class,
      description =
          "Allocators with commas between them: ashlar-raw, ashlar-segment, jdk-arena,"
              + " malloc-ffm. Default: all.")
  private List<AllocatorArm> arms = List.of(AllocatorArm.values());

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the figures to a file.")
  private Path json;

  @Option(
      names = "--limit",
      paramLabel = "MIB",
      defaultValue = "32",
      description = "Read so many MiB of text at most. Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Option(
      names = "--window",
      paramLabel = "DOCUMENTS",
      defaultValue = "500",
      description = "How many documents stay indexed. Default: ${DEFAULT-VALUE}.")
  private int window;

  @Option(
      names = "--rounds",
      paramLabel = "COUNT",
      defaultValue = "5",
      description = "How many times each allocator builds the index. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public Integer call() {
    checkRange("--limit", limit, MAX_LIMIT);
    checkRange("--window", window, MAX_WINDOW);
    checkRange("--rounds", rounds, MAX_ROUNDS);
    Optional<String> wrong = wrongJsonFile();
    if (wrong.isPresent()) {
      return fail(ExitCode.USAGE, wrong.get());
    }
    List<Path> inputs = paths.isEmpty() ? defaultInputs() : paths;
    if (inputs.isEmpty()) {
      return fail(ExitCode.USAGE, "name what to index: this JDK has neither sources nor notices");
    }
    if (reportMissing(inputs)) {
      return ExitCode.USAGE;
    }
    try {
      return index(inputs);
    } catch (DemoFailure e) {
      return fail(ExitCode.SOFTWARE, e.getMessage());
    } catch (IOException e) {
      return fail(ExitCode.SOFTWARE, "cannot write " + e.getMessage());
    }
  }

  private int index(List<Path> inputs) throws DemoFailure, IOException {
    Progress progress = new Progress(err(), isTerminal());
    progress.begin("reading");
    InputProblems problems = new InputProblems();
    CorpusBuilder builder = new CorpusBuilder();
    TextInputs texts = new TextInputs((long) limit << 20, builder::add, problems::add);
    inputs.forEach(texts::read);
    progress.finish();
    problems.print(err(), prefix());
    if (builder.documents() == 0) {
      // A single problem says it all.
      return problems.count() == 1
          ? ExitCode.USAGE
          : fail(ExitCode.USAGE, "there are no words to index");
    }
    Corpus corpus = builder.build();
    Environment environment = Ashlar.environment();
    DemoReport report =
        new DemoReport(
            inputs.stream().map(Path::toString).toList(),
            corpus,
            texts.limitReached(),
            window,
            rounds,
            new DemoRun(corpus, window, rounds, progress).run(arms.stream().distinct().toList()));
    DemoTable.print(report, spec.commandLine().getOut());
    if (json != null) {
      writeJson(report, environment);
    }
    return report.identical() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void writeJson(DemoReport report, Environment environment) throws DemoFailure {
    try {
      DemoJson.write(report, environment, json);
    } catch (IOException e) {
      throw new DemoFailure("cannot write " + json + ": " + IoProblem.describe(e));
    }
  }

  private void checkRange(String option, int value, int greatest) {
    if (value < 1 || value > greatest) {
      throw new ParameterException(
          spec.commandLine(),
          "Invalid value for option '"
              + option
              + "': "
              + value
              + " is not between 1 and "
              + greatest);
    }
  }

  /** Says now what would fail only after all rounds. */
  private Optional<String> wrongJsonFile() {
    if (json == null) {
      return Optional.empty();
    }
    if (Files.isDirectory(json)) {
      return Optional.of("cannot write " + json + ": it is a folder");
    }
    Path folder = json.toAbsolutePath().getParent();
    return Files.isDirectory(folder)
        ? Optional.empty()
        : Optional.of("cannot write " + json + ": there is no folder " + folder);
  }

  private static List<Path> defaultInputs() {
    Path home = Path.of(System.getProperty("java.home"));
    return Stream.of(home.resolve("lib").resolve("src.zip"), home.resolve("legal"))
        .filter(Files::exists)
        .limit(1)
        .toList();
  }

  private boolean reportMissing(List<Path> inputs) {
    List<Path> missing = inputs.stream().filter(Files::notExists).toList();
    missing.forEach(path -> fail(ExitCode.USAGE, "no such file or folder: " + path));
    return !missing.isEmpty();
  }

  private int fail(int exitCode, String message) {
    err().println(prefix() + message);
    err().flush();
    return exitCode;
  }

  private String prefix() {
    return spec.qualifiedName() + ": ";
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  @SuppressWarnings("SystemConsoleNull") // it is null in a runtime image without jdk.internal.le
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
