// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A report as one page that needs nothing else: charts, tables and all facts. */
public final class HtmlReport {

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Ashlar benchmarks</title>
      <style>
      body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 0 auto; \
      padding: 1rem; max-width: 60rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
      svg { width: 100%; height: auto; min-width: 32rem; max-width: 40rem; display: block; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
      th, td { padding: 0.2rem 0.6rem; text-align: right; border-bottom: 1px solid #d8dcdf; \
      white-space: nowrap; }
      th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: #fff; }
      td.text { white-space: normal; text-align: left; overflow-wrap: anywhere; }
      tr.ours td { font-weight: 600; }
      @media print {
        body { max-width: none; padding: 0; font-size: 10pt; }
        section, tr { break-inside: avoid; }
        .scroll { overflow: visible; } svg { min-width: 0; }
        table { font-size: 7pt; } th, td { padding: 0.1rem 0.3rem; white-space: normal; }
        th:first-child, td:first-child { position: static; }
        svg rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      }
      </style>
      </head>
      <body>
      <h1>Ashlar beside other allocators</h1>
      <p>Ratios are of medians: below 1, the first named is the faster. Shorter bars are better.</p>
      """;

  private HtmlReport() {}

  public static String page(BenchReport report) {
    StringBuilder page = new StringBuilder(HEAD);
    for (Grid grid : Grid.means(report)) {
      section(page, grid, "");
    }
    for (String workload : report.workloads()) {
      section(page, Grid.ofWorkload(report, workload), BarChart.svg(report, workload));
    }
    notes(page, report, "absent", "Absent");
    notes(page, report, "notApplicable", "Not applicable");
    notes(page, report, "failed", "Failed");
    page.append("<section><h2>Environment</h2>\n");
    facts(page, report.environment());
    page.append("</section>\n<section><h2>Raw figures</h2>\n");
    raw(page, report.results());
    return page.append("</section>\n</body>\n</html>\n").toString();
  }

  private static void section(StringBuilder page, Grid grid, String chart) {
    page.append("<section><h2>").append(Html.escape(grid.title())).append("</h2>\n");
    if (!chart.isEmpty()) {
      page.append("<div class=\"scroll\">\n").append(chart).append("</div>\n");
    }
    table(page, grid.head(), grid.rows());
    page.append("</section>\n");
  }

  private static void table(StringBuilder page, List<String> head, List<List<String>> rows) {
    page.append("<div class=\"scroll\"><table>\n<tr>");
    head.forEach(cell -> page.append("<th>").append(Html.escape(cell)).append("</th>"));
    page.append("</tr>\n");
    for (List<String> row : rows) {
      boolean ours = row.getFirst().startsWith("ashlar");
      page.append(ours ? "<tr class=\"ours\">" : "<tr>");
      row.forEach(cell -> page.append("<td>").append(Html.escape(cell)).append("</td>"));
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  private static void notes(StringBuilder page, BenchReport report, String name, String title) {
    Map<String, String> notes = report.notes(name);
    if (!notes.isEmpty()) {
      page.append("<section><h2>").append(title).append("</h2>\n");
      facts(page, notes);
      page.append("</section>\n");
    }
  }

  private static void facts(StringBuilder page, Map<String, ?> facts) {
    page.append("<div class=\"scroll\"><table>\n");
    facts.forEach(
        (name, value) -> {
          if (!(value instanceof Map)) {
            page.append("<tr><td>").append(Html.escape(name)).append("</td><td class=\"text\">");
            page.append(Html.escape(String.valueOf(value))).append("</td></tr>\n");
          }
        });
    page.append("</table></div>\n");
  }

  private static void raw(StringBuilder page, List<Result> results) {
    List<String> head =
        List.of(
            "workload",
            "allocator",
            "threads",
            "nsPerOp",
            "minNsPerOp",
            "rounds",
            "javaBytesPerOp",
            "rssPeakBytes",
            "rssAfterFreeBytes",
            "rssAfterIdleBytes",
            "rssAfterTrimBytes",
            "operationsPerRun",
            "note");
    table(page, head, results.stream().map(HtmlReport::cells).toList());
  }

  private static List<String> cells(Result result) {
    return Stream.of(
            result.workload(),
            result.allocator(),
            result.threads(),
            rounded(result.nsPerOp()),
            rounded(result.minNsPerOp()),
            result.rounds(),
            rounded(result.javaBytesPerOp()),
            result.rssPeakBytes(),
            result.rssAfterFreeBytes(),
            result.rssAfterIdleBytes(),
            result.rssAfterTrimBytes(),
            result.operationsPerRun(),
            result.note())
        .map(cell -> cell == null ? Format.NOTHING : cell.toString())
        .toList();
  }

  private static Double rounded(Double value) {
    return value == null ? null : Math.round(value * 1000) / 1000.0;
  }
}
