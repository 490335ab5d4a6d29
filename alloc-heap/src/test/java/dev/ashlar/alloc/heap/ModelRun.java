// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.segment.AddressSpace;
import dev.ashlar.alloc.segment.PageList;
import dev.ashlar.alloc.segment.SizeClasses;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * How the protocol models are explored: operations drawn for a few threads, and for each draw many
 * interleavings, every one of them chosen by the model checker. The drawing is the same each time.
 *
 * <p>What must hold is said in the models themselves, not by comparing results with those of one
 * thread: putting a block back, for one, may take effect when another thread's call ends.
 */
final class ModelRun {

  private static final int SCENARIOS = Integer.getInteger("ashlar.model.scenarios", 8);
  private static final int INTERLEAVINGS = Integer.getInteger("ashlar.model.interleavings", 300);

  /** Loops of more turns are held to be endless. Those over size classes are not. */
  private static final int LOOP_BOUND = 1000;

  /**
   * How long an interleaving may take, in milliseconds. Endless loops are told by their turns, not
   * by the clock: a busy machine takes long to rewrite a class.
   */
  private static final long NO_LIMIT = 3_600_000;

  private ModelRun() {}

  /**
   * Explores a model.
   *
   * @param model the class with the operations
   * @param threads how many threads there are
   * @param operations how many operations each does
   */
  static void explore(Class<?> model, int threads, int operations) {
    new ModelCheckingOptions()
        .threads(threads)
        .actorsPerThread(operations)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(SCENARIOS)
        .invocationsPerIteration(INTERLEAVINGS)
        .loopBound(LOOP_BOUND)
        // Under the table's lock, with hundreds of steps that are of no interest here.
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(HeapTable.class.getName())
                .methods("newStripe", "shut")
                .treatAsAtomic())
        // Native memory that only the owner of a slot touches, and calls of the operating system.
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(
                    Magazines.class.getName(),
                    RawMemory.class.getName(),
                    PageList.class.getName(),
                    SizeClasses.class.getName(),
                    AddressSpace.class.getName(),
                    VirtualMemory.system().getClass().getName())
                .allMethods()
                .ignore())
        .verifier(NothingThrown.class)
        .invocationTimeout$lincheck(NO_LIMIT)
        .check(model);
  }
}
