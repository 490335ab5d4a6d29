// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks;

import dev.ashlar.benchmarks.report.BenchReport;
import dev.ashlar.benchmarks.report.DocumentWriter;
import dev.ashlar.benchmarks.report.HtmlReport;
import dev.ashlar.benchmarks.report.ReportJson;
import dev.ashlar.benchmarks.report.WholeFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where figures are written to.
 *
 * @param json a JSON file, or null
 * @param html a page, or null
 * @param folder a folder for the project's documents, or null
 */
record Outputs(Path json, Path html, Path folder) {

  /**
   * Writes all of them, each in place of what is there.
   *
   * @throws IOException if one cannot be written
   */
  void write(BenchReport figures) throws IOException {
    if (json != null) {
      WholeFile.write(json, ReportJson.toText(figures));
    }
    if (html != null) {
      WholeFile.write(html, HtmlReport.page(figures));
    }
    if (folder != null) {
      DocumentWriter.write(figures, folder);
    }
  }
}
