// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.testkit.Operation.Allocate;
import dev.ashlar.alloc.testkit.Operation.AllocateInArena;
import dev.ashlar.alloc.testkit.Operation.Allocation;
import dev.ashlar.alloc.testkit.Operation.Check;
import dev.ashlar.alloc.testkit.Operation.CloseArena;
import dev.ashlar.alloc.testkit.Operation.Free;
import dev.ashlar.alloc.testkit.Operation.Misuse;
import dev.ashlar.alloc.testkit.Operation.OpenArena;
import dev.ashlar.alloc.testkit.Operation.Refusal;
import dev.ashlar.alloc.testkit.Operation.Refuse;
import dev.ashlar.alloc.testkit.Operation.Resize;
import dev.ashlar.alloc.testkit.Operation.Resizing;
import dev.ashlar.alloc.testkit.Operation.Wrong;
import java.util.ArrayList;
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
  private static final long HUGE_BYTES = (17L << 20) + 1;

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
   * Returns a program that is the same every time and has every kind of step at every kind of size:
   * short enough to be run once for each call that may fail in it.
   *
   * @param options what the program may hold
   * @return the program
   */
  public static OperationProgram everyKind(ProgramOptions options) {
    List<Operation> steps = new ArrayList<>();
    for (long size : Sizes.few()) {
      if (size <= Math.min(options.mostSize(), 1L << 20)) {
        addEveryKind(steps, size, options);
      }
    }
    if (options.mostSize() >= HUGE_BYTES) {
      steps.add(new Allocate(Allocation.ZALLOC, HUGE_BYTES, 16, false));
      steps.add(new Resize(Resizing.REALLOC, 0, HUGE_BYTES + (1 << 20), 16, false));
      steps.add(new OpenArena(true));
      steps.add(new AllocateInArena(0, HUGE_BYTES, 16));
      steps.add(new CloseArena(0));
    }
    // Blocks so far apart that they take several segments, all given back again.
    for (int i = 0; i < 50; i++) {
      steps.add(new Allocate(Allocation.ALIGNED_ALLOC, 60_000, 2L << 20, i % 10 == 0));
    }
    for (int i = 0; i < options.mostBlocks() && i < 200; i++) {
      steps.add(new Free(0, false, i % 50 == 0));
    }
    return new OperationProgram(steps);
  }

  private static void addEveryKind(List<Operation> steps, long size, ProgramOptions options) {
    steps.add(new OpenArena(size % 2 == 0));
    for (Allocation how : Allocation.values()) {
      steps.add(new Allocate(how, size, 64, how == Allocation.SEGMENT));
    }
    steps.add(new Allocate(Allocation.ALIGNED_ALLOC, size, 1L << 18, false));
    for (Resizing how : Resizing.values()) {
      steps.add(new Resize(how, 3, 2 * size + 1, 256, false));
      steps.add(new Resize(how, 5, size / 2, 4_096, how == Resizing.REALLOC));
    }
    steps.add(new AllocateInArena(7, size, 16));
    steps.add(new AllocateInArena(7, size, 8_192));
    for (Refusal what : Refusal.values()) {
      steps.add(new Refuse(what, 2));
    }
    if (options.detectsMisuse()) {
      for (Wrong what : Wrong.values()) {
        steps.add(new Misuse(what, 4, size));
      }
    }
    steps.add(new Free(1, true, false));
    steps.add(new Free(6, false, true));
    steps.add(new Check());
    steps.add(new CloseArena((int) (size % 5)));
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
