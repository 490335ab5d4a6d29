// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.VirtualMemory;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs a program again and again, each time with the next call to the operating system refused,
 * until a run makes no call that is left to refuse.
 *
 * <p>After each refusal everything must be as the model says: live blocks, their bytes, the
 * counters, the allocator's own invariants. The step that met the refusal must then succeed when it
 * is made again, and at the end everything must be free.
 */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public final class FaultSweep {

  private final VirtualMemory real;
  private final Function<VirtualMemory, Allocator> open;
  private final Consumer<Allocator> invariants;

  /**
   * Makes a sweep over one kind of allocator.
   *
   * @param real what carries out the calls that are not refused
   * @param open opens an allocator over an operating system
   * @param invariants walks what an allocator is made of
   */
  public FaultSweep(
      VirtualMemory real, Function<VirtualMemory, Allocator> open, Consumer<Allocator> invariants) {
    this.real = real;
    this.open = open;
    this.invariants = invariants;
  }

  /**
   * Refuses each call in turn.
   *
   * @param program what to run
   * @param options how to run it
   * @param calls which kinds of call are refused
   * @param atOnce how many calls in a row are refused; a step is made again that much later
   * @return how many calls were refused, one run each
   * @throws AssertionError if a refusal leaves anything other than it was
   */
  public int run(
      OperationProgram program, ProgramOptions options, Set<FaultyMemory.Call> calls, int atOnce) {
    int number = 1;
    while (runWithFaultAt(number, program, options, calls, atOnce)) {
      number++;
    }
    return number - 1;
  }

  /** Runs once; tells whether there was a call to refuse. */
  private boolean runWithFaultAt(
      int number,
      OperationProgram program,
      ProgramOptions options,
      Set<FaultyMemory.Call> calls,
      int atOnce) {
    FaultyMemory memory = new FaultyMemory(real);
    memory.refuse(calls, number, number + atOnce - 1L);
    String where = "call " + number + " of " + calls + " refused: ";
    Allocator allocator = open(memory, where);
    try (OtherThread other = new OtherThread()) {
      ProgramRunner runner = new ProgramRunner(allocator, options, other, number);
      for (Operation operation : program.operations()) {
        step(runner, allocator, memory, operation, where);
      }
      try {
        runner.finish();
        invariants.accept(allocator);
        allocator.close();
        allocator.close();
      } catch (Throwable e) {
        throw new AssertionError(where + "at the end: " + e, e);
      }
    }
    return memory.refused() > 0;
  }

  private Allocator open(FaultyMemory memory, String where) {
    while (true) {
      long refused = memory.refused();
      try {
        return open.apply(memory);
      } catch (NativeMemoryExhaustedError e) {
        if (memory.refused() == refused) {
          throw new AssertionError(where + "opening failed without a refusal", e);
        }
      }
    }
  }

  private void step(
      ProgramRunner runner,
      Allocator allocator,
      FaultyMemory memory,
      Operation operation,
      String where) {
    try {
      while (true) {
        long refused = memory.refused();
        boolean done = false;
        try {
          runner.run(operation);
          done = true;
        } catch (NativeMemoryExhaustedError e) {
          if (memory.refused() == refused) {
            throw new AssertionError("no memory without a refusal", e);
          }
        }
        if (memory.refused() > refused) {
          runner.check();
          invariants.accept(allocator);
        }
        if (done) {
          return;
        }
      }
    } catch (Throwable e) {
      throw new AssertionError(where + operation + ": " + e, e);
    }
  }
}
