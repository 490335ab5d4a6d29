// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The {@code ashlar} command-line tool. */
@Command(
    name = "ashlar",
    description = "Shows what the Ashlar allocators do on this machine.",
    mixinStandardHelpOptions = true,
    versionProvider = ToolVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it worked",
      "1:it failed",
      "2:the command line or the input is wrong",
      "3:there was not enough memory"
    },
    subcommands = {
      InfoCommand.class,
      DemoCommand.class,
      StressCommand.class,
      WasmCommand.class,
      HelpCommand.class
    })
public final class AshlarTool {

  @Option(
      names = "--stacktrace",
      description = "Show the stack trace of a failure.",
      scope = ScopeType.INHERIT)
  private boolean stacktrace;

  private AshlarTool() {}

  /**
   * Runs the tool and ends the JVM with its exit code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(
        commandLine()
            .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
            .execute(args));
  }

  /**
   * Makes the tool's command line.
   *
   * @return a command line that can be executed
   */
  static CommandLine commandLine() {
    AshlarTool tool = new AshlarTool();
    ToolErrors errors = new ToolErrors(tool);
    return new CommandLine(tool)
        .setExecutionStrategy(errors)
        .setParameterExceptionHandler(errors)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }

  boolean stacktrace() {
    return stacktrace;
  }
}
