// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import dev.ashlar.alloc.profiles.Environment;
import dev.ashlar.samples.report.EnvironmentJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The demo's report for programs. Sizes are in bytes. */
public final class DemoJson {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private DemoJson() {}

  /**
   * Writes the report.
   *
   * @param report what the demo found
   * @param environment what Ashlar found and decided
   * @param file the file, which is overwritten
   * @throws IOException if the file cannot be written
   */
  public static void write(DemoReport report, Environment environment, Path file)
      throws IOException {
    Files.writeString(file, toJson(report, environment) + System.lineSeparator());
  }

  /**
   * Makes the report's text.
   *
   * @param report what the demo found
   * @param environment what Ashlar found and decided
   * @return a JSON object
   */
  public static String toJson(DemoReport report, Environment environment) {
    ObjectNode json = MAPPER.createObjectNode();
    ArrayNode arms = json.putArray("arms");
    for (ArmResult result : report.results()) {
      putArm(arms.addObject(), result);
    }
    json.put("identical", report.identical());
    putInput(json.putObject("input"), report);
    json.put("rounds", report.rounds());
    putDetails(json, report);
    EnvironmentJson.put(environment, json.putObject("environment"));
    return MAPPER.writeValueAsString(json);
  }

  private static void putArm(ObjectNode json, ArmResult result) {
    json.put("allocator", result.arm().label());
    json.put("documents", result.documents());
    json.put("operations", result.operations());
    json.put("nsPerOp", result.nanosPerOperation());
    json.put("liveBytes", result.liveBytes());
    json.put("rssPeakBytes", result.rssPeakBytes());
    json.put("rssAfterBytes", result.rssAfterBytes());
    json.put("checksum", result.checksum());
  }

  private static void putInput(ObjectNode json, DemoReport report) {
    ArrayNode inputs = json.putArray("paths");
    report.inputs().forEach(inputs::add);
    json.put("cut", report.cut());
    json.put("textBytes", report.corpus().textBytes());
    json.put("words", report.corpus().words());
    json.put("distinctWords", report.corpus().distinctWords());
    json.put("window", Math.min(report.window(), report.corpus().documents()));
  }

  /** What is known of each round's time and of the base of the resident sizes, by allocator. */
  private static void putDetails(ObjectNode json, DemoReport report) {
    ObjectNode times = json.putObject("roundNanos");
    ObjectNode bases = json.putObject("rssBaseBytes");
    for (ArmResult result : report.results()) {
      ObjectNode time = times.putObject(result.arm().label());
      time.put("median", result.nanos());
      time.put("fastest", result.fastestNanos());
      time.put("slowest", result.slowestNanos());
      bases.put(result.arm().label(), result.rssBaseBytes());
    }
  }
}
