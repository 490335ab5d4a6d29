// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.adapters.NativeLibrary;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The C program, compiled here, with an allocator preloaded into it. */
final class NativeProgram {

  private static final String SOURCE = "native-bench.c";
  private static final JsonMapper JSON = new JsonMapper();

  private final Path folder;
  private final int threads;
  private final int samples;
  private Path program;

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
    String output =
        Processes.run(
            List.of(
                program().toString(),
                "--json",
                "--samples",
                Integer.toString(samples),
                "--threads",
                Integer.toString(threads),
                workload.name()),
            environment);
    return figures(workload, JSON.readTree(output));
  }

  static Figures figures(WorkloadSpec workload, JsonNode results) {
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
          null);
    }
    JsonNode result = results.get(0);
    double median = result.get("median").asDouble();
    double min = result.get("min").asDouble();
    // Of many samples it prints two figures: the same median and least sample as these.
    return new Figures(List.of(min, median, median), null, Figures.ResidentMemory.NONE, null);
  }

  private Path program() throws MeasuringException {
    if (program == null) {
      Path compiled = folder.resolve("native-bench");
      Path source = folder.resolve(SOURCE);
      try (InputStream in = NativeProgram.class.getResourceAsStream(SOURCE)) {
        Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new MeasuringException("the C program could not be copied: " + e.getMessage(), e);
      }
      Processes.run(
          List.of(
              "gcc",
              "-O2",
              "-fno-builtin",
              "-pthread",
              source.toString(),
              "-ldl",
              "-o",
              compiled.toString()),
          Map.of());
      program = compiled;
    }
    return program;
  }
}
