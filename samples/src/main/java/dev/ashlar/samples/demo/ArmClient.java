// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import dev.ashlar.samples.index.AllocatorArm;
import dev.ashlar.samples.text.IoProblem;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A running child JVM as the demo sees it. */
final class ArmClient implements AutoCloseable {

  private final AllocatorArm arm;
  private final Process process;
  private final Path errors;
  private final BufferedReader in;
  private final BufferedWriter out;

  /**
   * Starts the child. It is ready after {@link #awaitReady()}.
   *
   * @param arm the allocator
   * @param command the command line
   * @param errors a file for the child's standard error
   */
  ArmClient(AllocatorArm arm, List<String> command, Path errors) throws DemoFailure {
    this.arm = arm;
    this.errors = errors;
    try {
      process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    } catch (IOException e) {
      throw new DemoFailure("cannot start a JVM for " + arm + ": " + IoProblem.describe(e));
    }
    in = process.inputReader(StandardCharsets.UTF_8);
    out = process.outputWriter(StandardCharsets.UTF_8);
  }

  AllocatorArm arm() {
    return arm;
  }

  void ask(String words) throws DemoFailure {
    try {
      out.write(words);
      out.newLine();
      out.flush();
    } catch (IOException e) {
      throw ended();
    }
  }

  void awaitReady() throws DemoFailure {
    expect(ArmProtocol.READY);
  }

  Round awaitRound() throws DemoFailure {
    return Round.fromLine(expect(ArmProtocol.ROUND));
  }

  /** Waits for an answer and returns what follows its first words. */
  private String expect(String begin) throws DemoFailure {
    String answer = nextAnswer();
    if (answer.startsWith(ArmProtocol.FAILED)) {
      throw new DemoFailure(arm + ": " + answer.substring(ArmProtocol.FAILED.length()));
    }
    if (!answer.startsWith(begin)) {
      throw new DemoFailure("the JVM of " + arm + " answered: " + answer);
    }
    return answer.substring(begin.length());
  }

  private String nextAnswer() throws DemoFailure {
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(ArmProtocol.PREFIX)) {
          return line.substring(ArmProtocol.PREFIX.length());
        }
      }
    } catch (IOException e) {
      throw new DemoFailure("cannot read from the JVM of " + arm + ": " + IoProblem.describe(e));
    }
    throw ended();
  }

  private DemoFailure ended() {
    try {
      int exit = process.waitFor();
      return new DemoFailure("the JVM of " + arm + " ended with exit code " + exit + lastWords());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new DemoFailure("interrupted");
    }
  }

  private String lastWords() {
    try (Stream<String> lines = Files.lines(errors)) {
      return lines.filter(line -> !line.isBlank()).findFirst().map(l -> ": " + l).orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  /** Ends the child. */
  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
