// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import dev.ashlar.samples.report.Units;
import dev.ashlar.samples.text.Corpus;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The demo's report for people. */
public final class DemoTable {

  private static final String ROW = "%-15s %12s %13s %8s %15s %12s %12s %12s%n";

  private static final String LEGEND =
      """
      operation  a block allocated, resized or freed: a word, a posting list, positions, ...
      ns/op      time of the whole index work per operation, the same work for each allocator
      live       most bytes asked for in live blocks at once
      RSS        resident memory of the JVM above what it had before its first block, the code
                 that it compiled since included; after: all freed and the allocator closed
      """;

  private DemoTable() {}

  /**
   * Prints the report.
   *
   * @param report what the demo found
   * @param out where it goes
   */
  public static void print(DemoReport report, PrintWriter out) {
    printInput(report, out);
    out.println();
    out.printf(
        ROW,
        "allocator",
        "documents/s",
        "operations/s",
        "ns/op",
        "fastest-slowest",
        "live",
        "peak RSS",
        "RSS after");
    for (ArmResult result : report.results()) {
      out.printf(
          ROW,
          result.arm().label(),
          Units.count(Math.round(result.documentsPerSecond())),
          Units.count(Math.round(result.operationsPerSecond())),
          nanos(result.nanosPerOperation()),
          nanos((double) result.fastestNanos() / result.operations())
              + "-"
              + nanos((double) result.slowestNanos() / result.operations()),
          Units.mebibytes(result.liveBytes()),
          Units.mebibytes(result.rssPeakBytes()),
          Units.mebibytes(result.rssAfterBytes()));
    }
    out.println();
    printLegend(report, out);
    out.println();
    printAgreement(report.results(), report.identical(), out);
    out.flush();
  }

  private static void printInput(DemoReport report, PrintWriter out) {
    Corpus corpus = report.corpus();
    out.println(
        "Inverted index of "
            + String.join(", ", report.inputs())
            + (report.cut() ? " (its first " + Units.bytes(corpus.textBytes()) + ")" : ""));
    out.println(
        String.join(
            ", ",
            Units.count(corpus.documents(), "document"),
            Units.bytes(corpus.textBytes()) + " of text",
            Units.count(corpus.words(), "word"),
            Units.count(corpus.distinctWords()) + " distinct"));
    out.println(
        "the newest "
            + Units.count(Math.min(report.window(), corpus.documents()), "document")
            + " stay indexed; median of "
            + Units.count(report.rounds(), "round")
            + "; each allocator in a JVM of its own");
  }

  private static void printLegend(DemoReport report, PrintWriter out) {
    out.println(LEGEND);
    for (ArmResult result : report.results()) {
      out.printf("%-15s%s%n", result.arm().label(), result.arm().description());
    }
  }

  private static void printAgreement(List<ArmResult> results, boolean identical, PrintWriter out) {
    if (identical) {
      out.printf(
          Locale.ROOT,
          "index identical on all allocators: checksum %s, %,d operations a round%n",
          results.getFirst().checksum(),
          results.getFirst().operations());
      return;
    }
    for (ArmResult result : results) {
      out.printf(
          Locale.ROOT,
          "INDEX DIFFERS: %s has checksum %s, %,d operations, %,d live bytes%n",
          result.arm().label(),
          result.checksum(),
          result.operations(),
          result.liveBytes());
    }
  }

  private static String nanos(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
