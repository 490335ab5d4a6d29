// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.segment.SegmentPool;
import dev.ashlar.alloc.testkit.ConcurrentPrograms;
import dev.ashlar.alloc.testkit.OperatingSystems;
import dev.ashlar.alloc.testkit.OperationProgram;
import dev.ashlar.alloc.testkit.ProgramOptions;
import dev.ashlar.alloc.testkit.TestSeed;
import org.junit.jupiter.api.Test;

/**
 * Programs short enough to run on each modelled operating system, with segments purged as soon as
 * they are empty. The pom runs them, and the contracts, once on each.
 */
class ModelledProgramTest {

  private static final AllocatorOptions PURGING =
      AllocatorOptions.defaults().withSegmentPool(new SegmentPool(0));

  @Test
  void theSystemThatIsNamedIsTheOneThatRuns() {
    String name = System.getProperty(OperatingSystems.PROPERTY);
    assumeTrue(name != null);
    assertThat(VirtualMemory.system().getClass().getSimpleName())
        .isEqualTo(
            switch (name) {
              case "windows", "windows-7" -> "WindowsMemory";
              case "darwin" -> "MacMemory";
              case "strict" -> "StrictCommitModel";
              case "small" -> "FaultyMemory";
              default -> "PageSizeModel";
            });
  }

  @Test
  void aProgramThatPurges() {
    long seed = TestSeed.choose("200,000 operations");
    try (Allocator allocator = HeapAllocator.open(PURGING)) {
      OperationProgram.run(allocator, seed, 200_000, ProgramOptions.bulk());
      AllocatorInvariants.check(allocator);
    }
  }

  @Test
  void aProgramThatPurgesWithoutChecks() {
    long seed = TestSeed.choose("100,000 operations without checks");
    try (Allocator allocator = HeapAllocator.open(PURGING.withChecks(false))) {
      OperationProgram.run(allocator, seed, 100_000, ProgramOptions.bulk().detectingMisuse(false));
      AllocatorInvariants.check(allocator);
    }
  }

  @Test
  void programsInFourThreads() {
    long seed = TestSeed.choose("100,000 operations in 4 threads");
    try (Allocator allocator = HeapAllocator.open(PURGING)) {
      ConcurrentPrograms.run(allocator, seed, 4, 25_000, ProgramOptions.bulk());
      AllocatorInvariants.check(allocator);
    }
  }
}
