// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A list of calls to make on an allocator. It is data: it can be printed, cut down and run again.
 *
 * @param operations the steps, in order
 */
public record OperationProgram(List<Operation> operations) {

  private static final int STEPS_BETWEEN_CHECKS = 100_000;

  /**
   * Makes a program of given steps.
   *
   * @param operations the steps, in order
   */
  public OperationProgram {
    operations = List.copyOf(operations);
  }

  /**
   * Draws a program from a seed: equal arguments give equal programs.
   *
   * @param seed where the drawing begins
   * @param length how many steps
   * @param options what the program may hold
   * @return the program
   */
  public static OperationProgram random(long seed, int length, ProgramOptions options) {
    OperationGenerator generator = new OperationGenerator(seed, options);
    return new OperationProgram(Stream.generate(generator::next).limit(length).toList());
  }

  /**
   * Runs this program and then frees everything that it left.
   *
   * @param allocator what to run it on; no other thread may be inside
   * @param options how to run it
   * @throws AssertionError at the first step whose outcome is not that of the model
   */
  public void run(Allocator allocator, ProgramOptions options) {
    try (OtherThread other = new OtherThread()) {
      ProgramRunner runner = new ProgramRunner(allocator, options, other, 1);
      for (int i = 0; i < operations.size(); i++) {
        step(runner, operations.get(i), i, "of this program");
      }
      runner.finish();
    }
  }

  /**
   * Draws steps from a seed and runs each at once, however many there are.
   *
   * @param allocator what to run them on; no other thread may be inside
   * @param seed where the drawing begins; equal seeds give equal runs
   * @param operations how many steps
   * @param options how to run them
   * @throws AssertionError at the first step whose outcome is not that of the model, naming the
   *     seed
   */
  public static void run(Allocator allocator, long seed, long operations, ProgramOptions options) {
    OperationGenerator generator = new OperationGenerator(seed, options);
    try (OtherThread other = new OtherThread()) {
      ProgramRunner runner = new ProgramRunner(allocator, options, other, seed);
      for (long i = 0; i < operations; i++) {
        step(runner, generator.next(), i, "of seed " + seed);
        if (i % STEPS_BETWEEN_CHECKS == 0) {
          runner.check();
        }
      }
      runner.finish();
    }
  }

  private static void step(ProgramRunner runner, Operation operation, long number, String where) {
    try {
      runner.run(operation);
    } catch (Throwable e) {
      throw new AssertionError("step " + number + " " + where + ", " + operation + ": " + e, e);
    }
  }

  @Override
  public String toString() {
    return operations.stream()
        .map(Operation::toString)
        .collect(Collectors.joining("\n  ", "program of " + operations.size() + ":\n  ", "\n"));
  }
}
