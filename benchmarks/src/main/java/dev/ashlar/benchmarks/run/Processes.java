// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Runs a process to its end. */
final class Processes {

  private static final int SHOWN = 400;

  private Processes() {}

  /**
   * Runs a command.
   *
   * @return what it printed
   * @throws MeasuringException if it fails
   */
  static String run(List<String> command, Map<String, String> environment)
      throws MeasuringException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new MeasuringException("ended with code " + code + ": " + end(output));
      }
      return output;
    } catch (IOException e) {
      throw new MeasuringException("could not be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      throw new MeasuringException("was interrupted", e);
    }
  }

  /** The end of an output, in one line. */
  static String end(String output) {
    String line = output.strip().replaceAll("\\s+", " ");
    return line.length() <= SHOWN ? line : "..." + line.substring(line.length() - SHOWN);
  }
}
