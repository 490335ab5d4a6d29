// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** How the tool fails: one plain line, and the stack trace only when it is asked for. */
final class ToolErrors implements IExecutionStrategy, IParameterExceptionHandler {

  private final AshlarTool tool;

  ToolErrors(AshlarTool tool) {
    this.tool = tool;
  }

  /** Runs a command; exceptions and errors of it become one line. */
  @Override
  public int execute(ParseResult parseResult) {
    try {
      return new RunLast().execute(parseResult);
    } catch (ParameterException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      report(commandOf(parseResult), unwrapped(e));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** Tells what is wrong with the command line, and how it should be. */
  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + oneLine(e));
    UnmatchedArgumentException.printSuggestions(e, command.getErr());
    if (command.getParent() == null && e.getClass() == ParameterException.class) {
      command.usage(command.getErr()); // no command was named, so all of them are of interest
    } else {
      printSynopsis(command);
    }
    if (tool.stacktrace()) {
      e.printStackTrace(command.getErr());
    }
    command.getErr().flush();
    return CommandLine.ExitCode.USAGE;
  }

  private static CommandLine commandOf(ParseResult parseResult) {
    return parseResult.hasSubcommand()
        ? commandOf(parseResult.subcommand())
        : parseResult.commandSpec().commandLine();
  }

  private static void printSynopsis(CommandLine command) {
    CommandLine.Help help = command.getHelp();
    String heading = help.synopsisHeading();
    command.getErr().print(heading + help.synopsis(help.synopsisHeadingLength()));
    command
        .getErr()
        .println("'" + command.getCommandSpec().qualifiedName() + " --help' tells more.");
  }

  private void report(CommandLine command, Throwable e) {
    command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + oneLine(e));
    if (tool.stacktrace()) {
      e.printStackTrace(command.getErr());
    }
    command.getErr().flush();
  }

  private static Throwable unwrapped(Throwable e) {
    boolean wrapper =
        e instanceof CommandLine.ExecutionException || e instanceof ExceptionInInitializerError;
    return wrapper && e.getCause() != null ? unwrapped(e.getCause()) : e;
  }

  private static String oneLine(Throwable e) {
    String message = Objects.requireNonNullElse(e.getMessage(), "");
    // These errors were written for the user; others say too little without their names.
    boolean plain = e instanceof ParameterException || e instanceof NativeMemoryExhaustedError;
    String words = plain ? message : e.getClass().getSimpleName() + ": " + message;
    return words.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
