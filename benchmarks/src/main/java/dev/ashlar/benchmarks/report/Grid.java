// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table of words, which every kind of report shows in its own way.
 *
 * @param title what is above it
 * @param head the names of the columns; the first is the allocator's
 * @param rows the rows
 */
record Grid(String title, List<String> head, List<List<String>> rows) {

  private static final String NOTE = "note";

  /** All tables of a report. */
  static List<Grid> all(BenchReport report) {
    List<Grid> grids = new ArrayList<>();
    for (String workload : report.workloads()) {
      grids.add(ofWorkload(report, workload));
    }
    grids.addAll(means(report));
    return grids;
  }

  static Grid ofWorkload(BenchReport report, String workload) {
    List<Result> results = report.of(workload);
    Optional<WorkloadSpec> spec = Workloads.named(workload);
    String about = spec.map(known -> workload + ": " + known.about()).orElse(workload);
    if (isMemory(workload)) {
      return memory(about, results);
    }
    List<String> subjects = report.subjects();
    List<String> head = new ArrayList<>(List.of("allocator", "median", "min", "Java heap/op"));
    subjects.forEach(subject -> head.add(subject + " / this"));
    boolean notes = results.stream().anyMatch(result -> result.note() != null);
    if (notes) {
      head.add(NOTE);
    }
    List<List<String>> rows = new ArrayList<>();
    for (Result result : results) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  result.allocator(),
                  Format.time(result.nsPerOp()),
                  Format.time(result.minNsPerOp()),
                  Format.bytes(result.javaBytesPerOp())));
      for (String subject : subjects) {
        row.add(Format.ratio(report.ratio(workload, subject, result.allocator())));
      }
      if (notes) {
        row.add(Format.words(result.note()));
      }
      rows.add(row);
    }
    String operation = spec.map(WorkloadSpec::operation).orElse("operation");
    return new Grid(about + " (time of a " + operation + ")", head, rows);
  }

  /** Whether a workload has figures of memory instead of times. */
  static boolean isMemory(String workload) {
    return Workloads.named(workload)
        .filter(spec -> spec.kind() == WorkloadSpec.Kind.MEMORY)
        .isPresent();
  }

  private static Grid memory(String about, List<Result> results) {
    boolean notes = results.stream().anyMatch(result -> result.note() != null);
    List<String> head =
        new ArrayList<>(List.of("allocator", "peak", "freed", "3 s idle", "trimmed"));
    if (notes) {
      head.add(NOTE);
    }
    List<List<String>> rows = new ArrayList<>();
    for (Result result : results) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  result.allocator(),
                  Format.mebibytes(result.rssPeakBytes()),
                  Format.mebibytes(result.rssAfterFreeBytes()),
                  Format.mebibytes(result.rssAfterIdleBytes()),
                  Format.mebibytes(result.rssAfterTrimBytes())));
      if (notes) {
        row.add(Format.words(result.note()));
      }
      rows.add(row);
    }
    return new Grid(about + " (resident memory over the level before)", head, rows);
  }

  /** Geometric means of the ratios to each allocator. */
  static List<Grid> means(BenchReport report) {
    List<Grid> grids = new ArrayList<>();
    mean(report, "geometric means over pingpong, batch and churn", true).ifPresent(grids::add);
    mean(report, "geometric means over all timed workloads that both can do", false)
        .ifPresent(grids::add);
    return grids;
  }

  private static Optional<Grid> mean(BenchReport report, String title, boolean coreOnly) {
    List<String> subjects = report.subjects();
    List<String> head = new ArrayList<>(List.of("allocator", "workloads"));
    subjects.forEach(subject -> head.add(subject + " / this"));
    List<List<String>> rows = new ArrayList<>();
    for (String peer : report.allocators()) {
      List<String> row = new ArrayList<>(List.of(peer, "0"));
      for (String subject : subjects) {
        List<Double> ratios = report.ratios(subject, peer, coreOnly);
        row.set(1, Integer.toString(Math.max(ratios.size(), Integer.parseInt(row.get(1)))));
        row.add(Format.ratio(ratios.isEmpty() ? Double.NaN : Statistics.geometricMean(ratios)));
      }
      rows.add(row);
    }
    boolean empty = rows.stream().allMatch(row -> row.get(1).equals("0"));
    return subjects.isEmpty() || empty
        ? Optional.empty()
        : Optional.of(new Grid(title, head, rows));
  }
}
