// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Draws one workload as a bar chart in SVG: the shorter the bar, the better. */
final class BarChart {

  private static final int WIDTH = 640;
  private static final int LABELS = 170;
  private static final int FIGURES = 90;
  private static final int ROW = 22;
  private static final int TOP = 30;

  private BarChart() {}

  static String svg(BenchReport report, String workload) {
    List<Result> results = report.of(workload);
    boolean memory = Grid.isMemory(workload);
    Function<Result, Number> figure =
        memory
            ? result ->
                result.rssAfterIdleBytes() == null ? null : Math.max(0, result.rssAfterIdleBytes())
            : Result::nsPerOp;
    String unit =
        memory
            ? "resident after 3 s idle"
            : "time of a "
                + Workloads.named(workload).map(WorkloadSpec::operation).orElse("operation");
    double greatest =
        results.stream()
            .map(figure)
            .filter(value -> value != null)
            .mapToDouble(Number::doubleValue)
            .max()
            .orElse(1);
    int height = TOP + results.size() * ROW + 6;
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" \
        font-family="sans-serif" font-size="13">
        <title>%s</title>
        <rect width="%d" height="%d" fill="#ffffff"/>
        <text x="6" y="19" font-weight="bold" fill="#1a1a1a">%s (%s)</text>
        """
            .formatted(
                WIDTH, height, Html.escape(workload), WIDTH, height, Html.escape(workload), unit));
    int y = TOP;
    for (Result result : results) {
      Number value = figure.apply(result);
      String words =
          value == null
              ? Format.words(result.note())
              : memory
                  ? Format.mebibytes(result.rssAfterIdleBytes())
                  : Format.time(result.nsPerOp());
      double length =
          value == null || greatest <= 0
              ? 0
              : value.doubleValue() / greatest * (WIDTH - LABELS - FIGURES);
      svg.append(row(result.allocator(), words, length, y));
      y += ROW;
    }
    return svg.append("</svg>\n").toString();
  }

  private static String row(String allocator, String words, double length, int y) {
    return String.format(
        Locale.ROOT,
        """
        <text x="%d" y="%d" text-anchor="end" fill="#1a1a1a">%s</text>
        <rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>
        <text x="%.1f" y="%d" fill="#1a1a1a">%s</text>
        """,
        LABELS - 8,
        y + 15,
        Html.escape(allocator),
        LABELS,
        y + 3,
        Math.max(1, length),
        ROW - 6,
        allocator.startsWith("ashlar") ? "#1f6f8b" : "#b0b7bd",
        LABELS + Math.max(1, length) + 6,
        y + 15,
        Html.escape(words));
  }
}
