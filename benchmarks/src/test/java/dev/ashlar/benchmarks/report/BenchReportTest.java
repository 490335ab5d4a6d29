// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchReportTest {

  private final BenchReport report = Reports.sample();

  @Test
  void ratioIsOursOverTheirs() {
    assertThat(report.ratio("pingpong", "ashlar-raw", "jdk-confined")).hasValue(0.1);
    assertThat(report.ratio("pingpong", "ashlar-raw", "arrow")).isEmpty();
    assertThat(report.ratio("burst-64k", "ashlar-raw", "ashlar-raw")).isEmpty();
  }

  @Test
  void coreRatiosLeaveOtherWorkloadsOut() {
    List<Double> core = report.ratios("ashlar-raw", "jdk-confined", true);
    assertThat(core).containsExactly(0.1, 0.4);
    assertThat(Statistics.geometricMean(core)).isCloseTo(0.2, within(1e-12));
    assertThat(report.ratios("ashlar-raw", "jdk-confined", false)).containsExactly(0.1, 0.4, 1.5);
  }

  @Test
  void jsonHasTheAgreedShape() {
    JsonNode json = new JsonMapper().readTree(ReportJson.toText(report));
    assertThat(json.propertyNames()).containsExactly("environment", "results");
    assertThat(json.get("results").get(0).propertyNames())
        .containsExactly(
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
            "work",
            "note");
    assertThat(json.get("results").get(0).get("rssPeakBytes").isNull()).isTrue();
    assertThat(json.get("results").get(7).get("nsPerOp").isNull()).isTrue();
  }

  @Test
  void jsonCanBeReadAgain(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("results.json");
    Files.writeString(file, ReportJson.toText(report));
    assertThat(ReportJson.read(file)).isEqualTo(report);
  }

  @Test
  void tableShowsMedianMinimumRatioAndMeans() {
    StringWriter text = new StringWriter();
    TextReport.print(report, new PrintWriter(text));
    assertThat(text.toString())
        .containsPattern("jdk-confined +80.0 ns +79.0 ns +0 B +0.10")
        .containsPattern("jdk-confined +2 +0.20")
        .contains("native-tcmalloc: apt-get install");
  }

  @Test
  void whatWasTooSlowIsInEveryKindOfReport() throws Exception {
    StringWriter text = new StringWriter();
    TextReport.print(report, new PrintWriter(text));
    assertThat(text.toString()).containsPattern("jdk-shared +- +- +- +- +too slow: over 60 s");
    assertThat(HtmlReport.page(report)).contains("<td>too slow: over 60 s</td>");
    assertThat(BarChart.svg(report, "large-1m")).contains(">too slow: over 60 s</text>");
    assertThat(DocumentWriter.page(report))
        .contains("| jdk-shared | - | - | - | - | too slow: over 60 s |");
    JsonNode row = new JsonMapper().readTree(ReportJson.toText(report)).get("results").get(6);
    assertThat(row.get("nsPerOp").isNull()).isTrue();
    assertThat(row.get("note").asString()).isEqualTo("too slow: over 60 s");
  }

  @Test
  void documentHasMethodFirstThenWinsAndLossesAlike(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("charts"));
    Files.writeString(folder.resolve("charts/old.svg"), "");
    DocumentWriter.write(report, folder);
    String page = Files.readString(folder.resolve("README.md"));
    assertThat(page.indexOf("## Method"))
        .isPositive()
        .isLessThan(page.indexOf("## Machine and command"));
    assertThat(page)
        .contains(
            "| ashlar-raw | jdk-confined | pingpong (0.10), batch-lifo (0.40) | none | large-1m"
                + " (1.50) |")
        .contains("![pingpong](charts/pingpong.svg)");
    assertThat(folder.resolve("charts/pingpong.svg"))
        .content()
        .startsWith("<svg")
        .endsWith("</svg>\n");
    assertThat(folder.resolve("charts/old.svg")).doesNotExist();
    assertThat(ReportJson.read(folder.resolve("results.json"))).isEqualTo(report);
  }
}
