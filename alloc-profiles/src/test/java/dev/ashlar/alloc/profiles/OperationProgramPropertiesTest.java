// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.heap.AllocatorInvariants;
import dev.ashlar.alloc.testkit.OperationProgram;
import dev.ashlar.alloc.testkit.ProgramArbitraries;
import dev.ashlar.alloc.testkit.ProgramOptions;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Short random programs, thoroughly checked; one that fails is cut down to what it takes. */
class OperationProgramPropertiesTest {

  private static final ProgramOptions CHECKED = ProgramOptions.thorough();
  private static final ProgramOptions UNCHECKED = CHECKED.detectingMisuse(false);

  @Provide
  Arbitrary<OperationProgram> programs() {
    return ProgramArbitraries.programs(150, CHECKED);
  }

  @Provide
  Arbitrary<OperationProgram> programsWithoutMisuse() {
    return ProgramArbitraries.programs(150, UNCHECKED);
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void everyProgramAgreesWithTheModel(@ForAll("programs") OperationProgram program) {
    run(program, true, CHECKED);
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void everyProgramAgreesWithTheModelWithoutChecks(
      @ForAll("programsWithoutMisuse") OperationProgram program) {
    run(program, false, UNCHECKED);
  }

  private static void run(OperationProgram program, boolean checks, ProgramOptions options) {
    try (Allocator allocator = Ashlar.builder().checks(checks).build()) {
      program.run(allocator, options);
      AllocatorInvariants.check(allocator);
    }
  }
}
