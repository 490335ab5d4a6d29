// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.workloads.Need;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** A timed workload on an allocator of the JVM: one fork of JMH. */
final class TimedFork {

  private final Effort effort;
  private final int threads;
  private final Path folder;

  TimedFork(Effort effort, int threads, Path folder) {
    this.effort = effort;
    this.threads = threads;
    this.folder = folder;
    System.setProperty("jmh.ignoreLock", "true"); // one run at a time is the user's business
  }

  Figures measure(WorkloadSpec workload, Arm arm) throws MeasuringException {
    Path log = folder.resolve("jmh.log");
    Path witness = folder.resolve("witness");
    try {
      Files.deleteIfExists(witness);
      Collection<RunResult> results = new Runner(options(workload, arm, log, witness)).run();
      RunResult result = results.iterator().next();
      List<Double> samples = new ArrayList<>();
      for (IterationResult iteration :
          result.getBenchmarkResults().iterator().next().getIterationResults()) {
        samples.add(iteration.getPrimaryResult().getScore());
      }
      WorkDone work = Files.exists(witness) ? WorkDone.parse(Files.readString(witness)) : null;
      return new Figures(samples, garbage(result), Figures.ResidentMemory.NONE, work);
    } catch (RunnerException e) {
      throw new MeasuringException(reason(log), e);
    } catch (IOException e) {
      throw new MeasuringException("a file could not be used: " + e.getMessage(), e);
    }
  }

  private Options options(WorkloadSpec workload, Arm arm, Path log, Path witness) {
    List<String> flags = new ArrayList<>(ChildJvm.modules());
    flags.addAll(bestFlags(workload, arm));
    flags.addAll(ForkSettings.arguments(arm, workload.name(), threads, witness.toString()));
    long operations = arm.operations(workload, threads);
    return new OptionsBuilder()
        .include("^" + TimedBenchmark.class.getName() + "\\.run$")
        .forks(1)
        .jvm(ChildJvm.executable())
        .jvmArgs(flags.toArray(String[]::new))
        .operationsPerInvocation((int) operations)
        .warmupIterations(effort.warmups())
        .warmupTime(TimeValue.milliseconds(effort.warmupMillis()))
        .measurementIterations(effort.samples())
        .measurementTime(TimeValue.milliseconds(effort.sampleMillis()))
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .output(log.toString())
        .build();
  }

  /** JVM arguments that let an allocator do its best on a workload. */
  static List<String> bestFlags(WorkloadSpec workload, Arm arm) {
    List<String> flags = new ArrayList<>(arm.jvmArguments());
    if (arm.family() == Arm.Family.NETTY && workload.needs().contains(Need.VIRTUAL_THREADS)) {
      // Else each virtual thread makes a cache of its own, which takes minutes and gigabytes.
      flags.add("-Dio.netty.allocator.useCacheForAllThreads=false");
    }
    return flags;
  }

  private static Double garbage(RunResult result) {
    var rate = result.getSecondaryResults().get("gc.alloc.rate.norm");
    return rate == null ? null : rate.getScore();
  }

  /** The exception that the fork printed. */
  private static String reason(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return lines.stream()
          .filter(
              line ->
                  line.contains("Exception") || line.contains("Error") || line.contains("Failure"))
          .findFirst()
          .orElseGet(() -> Processes.end(String.join(" ", lines)));
    } catch (IOException e) {
      return "failed, and left no log";
    }
  }
}
