// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.adapters.NativeLibrary;
import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The C program, compiled here, with an allocator preloaded into it. Compiled a second time, it
 * does a short run of the workload and counts what it does.
 */
final class NativeProgram {

  private static final String MAIN = "native-bench.c";
  private static final List<String> SOURCES =
      List.of(MAIN, "native-allocator.h", "native-single.h", "native-team.h", "native-memory.h");
  private static final JsonMapper JSON = new JsonMapper();

  private final Path folder;
  private final int threads;
  private final int samples;
  private Path program;
  private Path check;

  NativeProgram(Effort effort, int threads, Path folder) {
    this.folder = folder;
    this.threads = threads;
    this.samples = 2 * effort.samples() - 1;
  }

  static Optional<String> whyAbsent() {
    boolean found =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .anyMatch(entry -> Files.isExecutable(Path.of(entry, "gcc")));
    return found
        ? Optional.empty()
        : Optional.of("there is no gcc to compile the C program; on Debian: apt-get install gcc");
  }

  Figures measure(WorkloadSpec workload, Arm arm) throws MeasuringException {
    Map<String, String> environment =
        arm.preloaded()
            .flatMap(NativeLibrary::find)
            .map(library -> Map.of("LD_PRELOAD", library.toString()))
            .orElse(Map.of());
    compile();
    WorkDone work = count(workload, environment);
    long begin = System.nanoTime();
    String output =
        Processes.run(
            List.of(
                program.toString(),
                "--json",
                "--samples",
                Integer.toString(samples),
                "--threads",
                Integer.toString(threads),
                workload.name()),
            environment);
    return figures(workload, JSON.readTree(output), begin, work);
  }

  /** Does the same short runs as the check of the Java workloads. */
  WorkDone count(WorkloadSpec workload, Map<String, String> environment) throws MeasuringException {
    long operations =
        workload.kind() == WorkloadSpec.Kind.TIMED
            ? WorkCheck.workload(workload.name(), threads).operations()
            : 0;
    return WorkLine.find(
        Processes.run(
            List.of(
                check.toString(),
                "--samples",
                Integer.toString(WorkCheck.RUNS),
                "--warmup",
                "0",
                "--ops",
                Long.toString(operations),
                "--threads",
                Integer.toString(threads),
                workload.name()),
            environment));
  }

  static Figures figures(WorkloadSpec workload, JsonNode results, long begin, WorkDone work) {
    if (workload.kind() == WorkloadSpec.Kind.COLD_START) {
      double ready = results.get(0).get("median").asDouble();
      double mebibytes = results.get(1).get("median").asDouble();
      return new Figures(
          List.of(ready - begin),
          null,
          new Figures.ResidentMemory(Math.round(mebibytes * (1 << 20)), null, null, null),
          work);
    }
    if (workload.kind() == WorkloadSpec.Kind.MEMORY) {
      Map<String, Long> stages = new HashMap<>();
      for (JsonNode result : results) {
        String name = result.get("name").asString();
        double mebibytes = result.get("median").asDouble();
        if (!result.get("note").asString().equals("none")) {
          stages.put(
              name.substring(workload.name().length() + 1), Math.round(mebibytes * (1 << 20)));
        }
      }
      return new Figures(
          List.of(),
          null,
          new Figures.ResidentMemory(
              stages.get("peak"), stages.get("freed"), stages.get("idle3s"), stages.get("trim")),
          work);
    }
    JsonNode result = results.get(0);
    double median = result.get("median").asDouble();
    double min = result.get("min").asDouble();
    // Of many samples it prints two figures: the same median and least sample as these.
    return new Figures(List.of(min, median, median), null, Figures.ResidentMemory.NONE, work);
  }

  void compile() throws MeasuringException {
    if (check != null) {
      return;
    }
    for (String source : SOURCES) {
      try (InputStream in = NativeProgram.class.getResourceAsStream(source)) {
        Files.copy(in, folder.resolve(source), StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new MeasuringException("the C program could not be copied: " + e.getMessage(), e);
      }
    }
    program = compile("native-bench");
    check = compile("native-check", "-DBENCH_CHECK");
  }

  private Path compile(String name, String... flags) throws MeasuringException {
    Path compiled = folder.resolve(name);
    List<String> command = new ArrayList<>(List.of("gcc", "-O2", "-fno-builtin", "-pthread"));
    command.addAll(List.of(flags));
    command.addAll(List.of(folder.resolve(MAIN).toString(), "-ldl", "-o", compiled.toString()));
    Processes.run(command, Map.of());
    return compiled;
  }
}
