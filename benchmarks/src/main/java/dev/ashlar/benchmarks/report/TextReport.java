// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import java.io.PrintWriter;
import java.util.List;

/** Prints a report to a terminal. */
public final class TextReport {

  private TextReport() {}

  public static void print(BenchReport report, PrintWriter out) {
    for (Grid grid : Grid.all(report)) {
      print(grid, out);
    }
    notes(report, "absent", "Absent:", out);
    notes(report, "notApplicable", "Not applicable:", out);
    notes(report, "failed", "FAILED:", out);
    if (!report.subjects().isEmpty()) {
      out.println("Ratios are of medians: below 1, the first named is the faster.");
    }
    out.flush();
  }

  private static void print(Grid grid, PrintWriter out) {
    out.println(grid.title());
    int[] widths = new int[grid.head().size()];
    widen(widths, grid.head());
    grid.rows().forEach(row -> widen(widths, row));
    line(widths, grid.head(), out);
    grid.rows().forEach(row -> line(widths, row, out));
    out.println();
  }

  private static void widen(int[] widths, List<String> row) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], row.get(i).length());
    }
  }

  private static void line(int[] widths, List<String> row, PrintWriter out) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append("  ").append(i == 0 ? cell + padding : padding + cell);
    }
    out.println(line.toString().stripTrailing());
  }

  private static void notes(BenchReport report, String name, String title, PrintWriter out) {
    if (!report.notes(name).isEmpty()) {
      out.println(title);
      report.notes(name).forEach((key, value) -> out.println("  " + key + ": " + value));
      out.println();
    }
  }
}
