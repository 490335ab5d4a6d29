// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.profiles.Ashlar;
import dev.ashlar.samples.report.Units;
import dev.ashlar.samples.stress.StressFault;
import dev.ashlar.samples.stress.StressProfile;
import dev.ashlar.samples.stress.StressProgress;
import dev.ashlar.samples.stress.StressReport;
import dev.ashlar.samples.stress.StressRun;
import dev.ashlar.samples.stress.StressSettings;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code ashlar stress}: many threads that allocate and free at random, with canaries. */
@Command(
    name = "stress",
    mixinStandardHelpOptions = true,
    versionProvider = ToolVersion.class,
    description = {
      "Lets many threads allocate, resize, hand over and free blocks at random.",
      "",
      "Each block has a canary that tells who allocated it and how large it is, and that is checked"
          + " before the block is resized or freed. At the end the allocator must have exactly the"
          + " blocks live that the threads hold, agree with itself, and have nothing live when all"
          + " is freed; and the process must have about as much memory as before. Anything else is"
          + " told with the command that does the same run again, and the exit code is 1."
    })
final class StressCommand implements Callable<Integer> {

  private static final int MAX_SECONDS = 86_400;
  private static final int MAX_THREADS = 1000;
  private static final long MAX_OPERATIONS = 1_000_000_000_000L;

  private final RunMaker runs;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long the threads go on. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--operations",
      paramLabel = "COUNT",
      defaultValue = "0",
      description = "Let each thread do so many operations instead.")
  private long operations;

  @Option(
      names = "--threads",
      paramLabel = "THREADS",
      defaultValue = "8",
      description = "How many threads there are at a time. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Option(names = "--virtual", description = "Let them be virtual threads.")
  private boolean virtual;

  @Option(
      names = "--kill-threads",
      description = "Let threads end at random moments, and others take over their blocks.")
  private boolean killThreads;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "default",
      converter = ProfileNames.class,
      description =
          "The settings of the allocator: default, or unchecked for one that does not check frees."
              + " Default: ${DEFAULT-VALUE}.")
  private StressProfile profile;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Where the drawing begins; the same seed has each thread do the same.")
  private Long seed;

  /** Makes a run from settings. */
  interface RunMaker {
    StressRun make(StressSettings settings, Consumer<StressProgress> progress);
  }

  StressCommand() {
    this(StressRun::new);
  }

  StressCommand(RunMaker runs) {
    this.runs = runs;
  }

  @Override
  public Integer call() throws InterruptedException {
    checkRange("--seconds", seconds, 1, MAX_SECONDS);
    checkRange("--operations", operations, 0, MAX_OPERATIONS);
    checkRange("--threads", threads, 1, MAX_THREADS);
    StressSettings settings =
        new StressSettings(
            seconds,
            operations,
            threads,
            virtual,
            killThreads,
            profile,
            seed == null ? ThreadLocalRandom.current().nextLong(1L << 48) : seed);
    PrintWriter out = spec.commandLine().getOut();
    out.println(settings.command());
    out.flush();
    try {
      print(runs.make(settings, this::show).run());
      return ExitCode.OK;
    } catch (StressFault fault) {
      tell(fault, settings);
      return ExitCode.SOFTWARE;
    }
  }

  private void show(StressProgress progress) {
    AllocatorStats stats = progress.stats();
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        String.format(
            Locale.ROOT,
            "%4d s  %s  live %s  committed %s  resident %s  %s",
            progress.second(),
            Units.count(progress.operations(), "operation"),
            Units.mebibytes(stats.liveBytes()),
            Units.mebibytes(stats.committedBytes()),
            Units.mebibytes(Ashlar.processMemory().residentBytes()),
            Units.count(stats.heaps(), "heap")));
    out.flush();
  }

  private void print(StressReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.println();
    out.println(
        "operations: "
            + Units.count(report.operations())
            + String.format(Locale.ROOT, " in %.1f s", report.nanoseconds() / 1e9));
    out.println("remote frees: " + Units.count(report.remoteFrees()));
    out.println("threads: " + Units.count(report.threads()));
    out.println("heaps: " + Units.count(report.afterwards().heaps()));
    out.println("adoptions: " + Units.count(report.afterwards().adoptions()));
    out.println(
        "at the end: "
            + Units.count(report.blocks(), "block")
            + " of "
            + Units.mebibytes(report.atEnd().liveBytes())
            + ", committed "
            + Units.mebibytes(report.atEnd().committedBytes()));
    out.println(
        "after all was freed: 0 blocks, committed "
            + Units.mebibytes(report.afterwards().committedBytes()));
    out.println(
        "the process, besides the Java heap: "
            + (report.growth() < 0 ? "" : "+")
            + Units.mebibytes(report.growth()));
    out.println("clean");
    out.flush();
  }

  private void tell(StressFault fault, StressSettings settings) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(spec.qualifiedName() + ": " + fault.getMessage());
    err.println("seed " + settings.seed() + "; again with: " + settings.command());
    fault.printStackTrace(err);
    err.flush();
  }

  private void checkRange(String option, long value, long least, long greatest) {
    if (value < least || value > greatest) {
      throw new ParameterException(
          spec.commandLine(),
          "Invalid value for option '"
              + option
              + "': "
              + value
              + " is not between "
              + least
              + " and "
              + greatest);
    }
  }

  /** Reads the name of a profile from the command line. */
  static final class ProfileNames implements ITypeConverter<StressProfile> {

    @Override
    public StressProfile convert(String name) {
      return StressProfile.named(name)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "unknown profile '" + name + "': use " + StressProfile.labels()));
    }
  }
}
