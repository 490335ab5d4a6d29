// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.profiles.Ashlar;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AshlarToolTest {

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h", "help"})
  void printsHelp(String arg) {
    ToolRun run = ToolRun.of(arg);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("Usage: ashlar ")
        .contains("info", "demo", "wasm", "--stacktrace");
    assertThat(run.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "demo", "stress", "wasm"})
  void printsHelpOfACommand(String command) {
    ToolRun run = ToolRun.of(command, "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("Usage: ashlar " + command + " ");
    assertThat(ToolRun.of("help", command)).isEqualTo(run);
  }

  @Test
  void printsItsVersion() {
    ToolRun run = ToolRun.of("--version");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().strip()).isEqualTo("ashlar " + Ashlar.environment().version());
  }

  @Test
  void printsUsageWithoutACommand() {
    ToolRun run = ToolRun.of();

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("Usage: ashlar ", "demo");
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--unknown", "unknown"})
  void refusesWhatItDoesNotKnow(String arg) {
    ToolRun run = ToolRun.of(arg);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(arg, "Usage: ashlar ").doesNotContain("\tat ");
  }

  @Test
  void refusesAnOptionThatACommandDoesNotKnow() {
    ToolRun run = ToolRun.of("demo", "--unknown");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines().getFirst()).isEqualTo("ashlar demo: Unknown option: '--unknown'");
    assertThat(run.err()).contains("Usage: ashlar demo ");
  }

  @Test
  void tellsAnUnexpectedExceptionInOneLine() {
    ToolRun run = ToolRun.of(withFailure(new IllegalStateException("it\n broke")), "fail");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.errLines()).containsExactly("ashlar fail: IllegalStateException: it broke");
  }

  @Test
  void tellsAnErrorInOneLine() {
    Error error =
        new ExceptionInInitializerError(
            new NativeMemoryExhaustedError(64, 0, 32, "operating system", null));

    ToolRun run = ToolRun.of(withFailure(error), "fail");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .startsWith("ashlar fail: no memory for a request of 64 bytes");
  }

  @Test
  void printsTheStackTraceWhenItIsAskedTo() {
    IllegalStateException failure = new IllegalStateException("broken");

    assertThat(ToolRun.of(withFailure(failure), "fail", "--stacktrace").err())
        .contains("(AshlarToolTest.java:");
    assertThat(ToolRun.of(withFailure(failure), "--stacktrace", "fail").err())
        .contains("(AshlarToolTest.java:");
  }

  @Test
  void printsWhatAshlarDecided() {
    ToolRun run = ToolRun.of("info");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines())
        .contains(
            "Ashlar version: " + Ashlar.environment().version(),
            "Java home: " + System.getProperty("java.home"),
            "Java version: " + Runtime.version());
    assertThat(run.out())
        .contains("OS page: ", "Physical memory: ", "Segment: ", "Size classes: ")
        .containsPattern("Process memory: \\S+ MiB \\(\\d+ bytes\\)");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void printsWhatAshlarDecidedAsJson() {
    JsonNode json = JsonMapper.shared().readTree(ToolRun.of("info", "--json").out());

    assertThat(json.get("segmentBytes").longValue()).isEqualTo(Ashlar.environment().segmentBytes());
    assertThat(json.get("javaHome").stringValue()).isEqualTo(System.getProperty("java.home"));
    assertThat(json.get("residentBytes").longValue()).isPositive();
  }

  private static CommandLine withFailure(Throwable failure) {
    return AshlarTool.commandLine().addSubcommand(new FailingCommand(failure));
  }

  @Command(name = "fail")
  private record FailingCommand(Throwable failure) implements Runnable {

    @Override
    public void run() {
      switch (failure) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new AssertionError(failure);
      }
    }
  }
}
