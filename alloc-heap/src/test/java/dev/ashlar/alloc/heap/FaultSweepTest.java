// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.PurgeMode;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.segment.Purge;
import dev.ashlar.alloc.segment.SegmentPool;
import dev.ashlar.alloc.testkit.FaultSweep;
import dev.ashlar.alloc.testkit.FaultyMemory.Call;
import dev.ashlar.alloc.testkit.OperationProgram;
import dev.ashlar.alloc.testkit.ProgramOptions;
import dev.ashlar.alloc.testkit.TestSeed;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Whichever call the operating system refuses, the engine is left as it was and goes on working.
 */
class FaultSweepTest {

  private static final Set<Call> ANY = EnumSet.allOf(Call.class);

  /** How many operations a random program has. */
  private static final int LONG = 300;

  /** The same where most operations call the operating system, and each call costs a run. */
  private static final int SHORT = 60;

  @Test
  void eachCallMayBeRefusedWithChecks() {
    sweep(AllocatorOptions.defaults().withPurge(Purge.never()), 1, LONG);
  }

  @Test
  void eachCallMayBeRefusedWithoutChecks() {
    sweep(AllocatorOptions.defaults().withPurge(Purge.never()).withChecks(false), 1, LONG);
  }

  @Test
  void manyCallsInARowMayBeRefusedWhileNoEmptySegmentIsKept() {
    sweep(
        AllocatorOptions.defaults().withPurge(Purge.never()).withSegmentPool(new SegmentPool(0)),
        7,
        LONG);
  }

  @Test
  void eachCallMayBeRefusedWhileEverythingIsPurgedAtOnce() {
    sweep(AllocatorOptions.defaults().withPurge(Purge.immediately()), 1, SHORT);
  }

  @Test
  void eachCallMayBeRefusedWhileEverythingIsResetAtOnce() {
    sweep(
        AllocatorOptions.defaults().withPurge(Purge.immediately().withMode(PurgeMode.RESET)),
        2,
        SHORT);
  }

  @Test
  void eachCallMayBeRefusedWhileWhatIsDueIsPurged() {
    Purge atNextUse = Purge.DEFAULT.withDelayNanos(1).withBackground(false);
    sweep(AllocatorOptions.defaults().withPurge(atNextUse), 1, SHORT);
  }

  private static void sweep(AllocatorOptions options, int atOnce, int operations) {
    long seed = TestSeed.choose("fault sweep over " + options);
    ProgramOptions programs = ProgramOptions.bulk().detectingMisuse(options.checks());
    FaultSweep sweep =
        new FaultSweep(
            VirtualMemory.system(),
            memory -> HeapAllocator.open(options.withMemory(memory)),
            AllocatorInvariants::check);
    int refused =
        sweep.run(OperationProgram.everyKind(programs), programs, ANY, atOnce)
            + sweep.run(OperationProgram.random(seed, operations, programs), programs, ANY, atOnce);
    System.out.println(refused + " calls refused, one in each run");
    assertThat(refused).isPositive();
  }
}
