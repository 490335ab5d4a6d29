// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** Runs {@code ashlar bench}, which the launcher starts from here. */
public final class BenchTool {

  private BenchTool() {}

  /**
   * Runs the command and ends the JVM with its exit code.
   *
   * @param args the command line after {@code ashlar bench}
   */
  public static void main(String[] args) {
    System.exit(
        commandLine()
            .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
            .execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new BenchCommand())
        .setParameterExceptionHandler(
            (e, args) -> {
              CommandLine command = e.getCommandLine();
              command.getErr().println("ashlar bench: " + e.getMessage());
              command.getErr().println("'ashlar bench --help' tells more.");
              return CommandLine.ExitCode.USAGE;
            })
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              command.getErr().println("ashlar bench: " + e);
              return CommandLine.ExitCode.SOFTWARE;
            })
        .setUsageHelpAutoWidth(true);
  }
}
