// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads reports as JSON. */
public final class ReportJson {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private ReportJson() {}

  public static String toText(BenchReport report) {
    return JSON.writeValueAsString(report) + "\n";
  }

  /**
   * Reads a report.
   *
   * @throws JacksonException if the file is no report
   */
  public static BenchReport read(Path file) {
    return JSON.readValue(file, BenchReport.class);
  }
}
