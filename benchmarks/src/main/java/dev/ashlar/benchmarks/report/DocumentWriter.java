// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/** Writes the project's page of figures: the method first, then wins and losses alike. */
public final class DocumentWriter {

  private static final String METHOD = "method.md";
  private static final String CHARTS = "charts";
  private static final double TIE = 0.15;

  private DocumentWriter() {}

  /**
   * Writes README.md, results.json and a chart for each workload.
   *
   * @param report the figures
   * @param folder the folder, which is made if it is not there
   * @throws IOException if a file cannot be written
   */
  public static void write(BenchReport report, Path folder) throws IOException {
    Path charts = Files.createDirectories(folder.resolve(CHARTS));
    Set<Path> drawn = new HashSet<>();
    for (String workload : report.workloads()) {
      Path chart = charts.resolve(workload + ".svg");
      WholeFile.write(chart, BarChart.svg(report, workload));
      drawn.add(chart);
    }
    try (Stream<Path> all = Files.list(charts)) {
      for (Path chart : all.filter(file -> file.toString().endsWith(".svg")).toList()) {
        if (!drawn.contains(chart)) {
          Files.delete(chart);
        }
      }
    }
    WholeFile.write(folder.resolve("results.json"), ReportJson.toText(report));
    WholeFile.write(folder.resolve("README.md"), page(report));
  }

  static String page(BenchReport report) throws IOException {
    StringBuilder page = new StringBuilder();
    try (InputStream method = DocumentWriter.class.getResourceAsStream(METHOD)) {
      page.append(new String(method.readAllBytes(), StandardCharsets.UTF_8));
    }
    page.append("\n## Machine and command\n\n");
    table(page, List.of("fact", "value"), facts(report.environment()));
    page.append("All figures: [results.json](results.json).\n");
    for (Grid grid : Grid.means(report)) {
      section(page, grid);
    }
    outcomes(page, report);
    page.append("\n## Workloads\n");
    for (String workload : report.workloads()) {
      page.append("\n### ").append(workload).append("\n\n");
      page.append("![").append(workload).append("](").append(CHARTS).append("/").append(workload);
      page.append(".svg)\n\n");
      Grid grid = Grid.ofWorkload(report, workload);
      page.append(sentence(grid.title().substring(grid.title().indexOf(':') + 1).strip()));
      page.append("\n\n");
      table(page, grid.head(), grid.rows());
    }
    notes(page, report, "absent", "Absent");
    notes(page, report, "notApplicable", "Not applicable");
    notes(page, report, "failed", "Failed");
    return page.toString();
  }

  /** Every comparison of an Ashlar arm with a peer, as a win, a tie or a loss. */
  private static void outcomes(StringBuilder page, BenchReport report) {
    page.append("\n## Wins and losses\n\n");
    page.append("Timed workloads against every peer. Within 15 % of each other is a tie.\n\n");
    List<List<String>> rows = new ArrayList<>();
    for (String subject : report.subjects()) {
      for (String peer : report.allocators()) {
        if (!peer.startsWith("ashlar") && !peer.equals("null")) {
          List<String> row = outcome(report, subject, peer);
          if (!row.isEmpty()) {
            rows.add(row);
          }
        }
      }
    }
    table(page, List.of("Ashlar", "peer", "wins", "ties", "losses"), rows);
  }

  private static List<String> outcome(BenchReport report, String subject, String peer) {
    List<String> wins = new ArrayList<>();
    List<String> ties = new ArrayList<>();
    List<String> losses = new ArrayList<>();
    for (String workload : report.workloads()) {
      OptionalDouble ratio = report.ratio(workload, subject, peer);
      if (ratio.isPresent()) {
        double value = ratio.getAsDouble();
        List<String> outcome = value < 1 - TIE ? wins : value > 1 + TIE ? losses : ties;
        outcome.add(workload + " (" + Format.ratio(value) + ")");
      }
    }
    return wins.isEmpty() && ties.isEmpty() && losses.isEmpty()
        ? List.of()
        : List.of(subject, peer, joined(wins), joined(ties), joined(losses));
  }

  private static String joined(List<String> names) {
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  private static List<List<String>> facts(Map<String, Object> environment) {
    List<List<String>> rows = new ArrayList<>();
    environment.forEach(
        (name, value) -> {
          if (!(value instanceof Map)) {
            rows.add(List.of(name, name.equals("command") ? "`" + value + "`" : value.toString()));
          }
        });
    return rows;
  }

  private static void section(StringBuilder page, Grid grid) {
    page.append("\n## ").append(sentence(grid.title())).append("\n\n");
    table(page, grid.head(), grid.rows());
  }

  private static void notes(StringBuilder page, BenchReport report, String name, String title) {
    if (!report.notes(name).isEmpty()) {
      page.append("\n## ").append(title).append("\n\n");
      report.notes(name).forEach((key, why) -> page.append("- " + key + ": " + why + "\n"));
    }
  }

  private static void table(StringBuilder page, List<String> head, List<List<String>> rows) {
    row(page, head);
    page.append("|---|").append("---:|".repeat(head.size() - 1)).append('\n');
    rows.forEach(row -> row(page, row));
    page.append('\n');
  }

  private static void row(StringBuilder page, List<String> cells) {
    page.append("| ").append(String.join(" | ", cells).replace("\n", " ")).append(" |\n");
  }

  private static String sentence(String words) {
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }
}
