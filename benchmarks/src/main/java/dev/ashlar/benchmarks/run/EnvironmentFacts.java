// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.alloc.profiles.Ashlar;
import dev.ashlar.alloc.profiles.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the figures of a run depend on. */
public final class EnvironmentFacts {

  private EnvironmentFacts() {}

  /**
   * Collects the facts.
   *
   * @param command the command line
   * @param effort how much is measured
   * @param threads how many threads, where a workload leaves a choice
   */
  public static Map<String, Object> collect(String command, Effort effort, int threads) {
    Environment ashlar = Ashlar.environment();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    facts.put("command", command);
    facts.put("version", ashlar.version());
    facts.put("operatingSystem", ashlar.operatingSystem() + " " + System.getProperty("os.version"));
    facts.put("architecture", ashlar.architecture());
    facts.put("processor", processor());
    facts.put("processors", Runtime.getRuntime().availableProcessors());
    facts.put("physicalMemoryBytes", ashlar.physicalMemoryBytes());
    facts.put("javaVersion", Runtime.version().toString());
    facts.put("javaVendor", System.getProperty("java.vendor"));
    facts.put("rounds", effort.rounds());
    facts.put("samplesPerRound", effort.samples());
    facts.put("sampleMillis", effort.sampleMillis());
    facts.put("limitSeconds", effort.limitSeconds());
    facts.put("threads", threads);
    return facts;
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
