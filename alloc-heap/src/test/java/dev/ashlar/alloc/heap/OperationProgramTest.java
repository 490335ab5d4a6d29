// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.testkit.ConcurrentPrograms;
import dev.ashlar.alloc.testkit.OperationProgram;
import dev.ashlar.alloc.testkit.ProgramOptions;
import dev.ashlar.alloc.testkit.TestSeed;
import org.junit.jupiter.api.Test;

/** Long random programs on the engine, beside the model, with the invariants walked at the end. */
class OperationProgramTest {

  @Test
  void fiveMillionOperationsWithChecks() {
    long seed = TestSeed.choose("5,000,000 operations with checks");
    try (Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults())) {
      OperationProgram.run(allocator, seed, 5_000_000, ProgramOptions.bulk());
      AllocatorInvariants.check(allocator);
    }
  }

  @Test
  void threeMillionOperationsWithoutChecks() {
    long seed = TestSeed.choose("3,000,000 operations without checks");
    try (Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults().withChecks(false))) {
      OperationProgram.run(
          allocator, seed, 3_000_000, ProgramOptions.bulk().detectingMisuse(false));
      AllocatorInvariants.check(allocator);
    }
  }

  @Test
  void threeMillionOperationsInFourThreads() {
    long seed = TestSeed.choose("3,000,000 operations in 4 threads");
    try (Allocator allocator = HeapAllocator.open(AllocatorOptions.defaults())) {
      ConcurrentPrograms.run(allocator, seed, 4, 750_000, ProgramOptions.bulk());
      AllocatorInvariants.check(allocator);
    }
  }
}
