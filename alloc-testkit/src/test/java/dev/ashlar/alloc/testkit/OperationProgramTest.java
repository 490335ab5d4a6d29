// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.testkit.Operation.Misuse;
import org.junit.jupiter.api.Test;

/** Programs are data that a seed determines, and cover every kind of step. */
class OperationProgramTest {

  private static final ProgramOptions OPTIONS = ProgramOptions.bulk();

  @Test
  void equalSeedsGiveEqualPrograms() {
    OperationProgram program = OperationProgram.random(7, 5_000, OPTIONS);
    assertThat(OperationProgram.random(7, 5_000, OPTIONS)).isEqualTo(program);
    assertThat(OperationProgram.random(8, 5_000, OPTIONS)).isNotEqualTo(program);
  }

  @Test
  void randomProgramsHaveEveryKindOfStep() {
    assertThat(OperationProgram.random(7, 50_000, OPTIONS).operations())
        .extracting(operation -> operation.getClass().getSimpleName())
        .contains(
            "Allocate",
            "Resize",
            "Free",
            "Misuse",
            "Refuse",
            "OpenArena",
            "AllocateInArena",
            "CloseArena");
  }

  @Test
  void programsForAllocatorsWithoutChecksMisuseNothing() {
    ProgramOptions unchecked = OPTIONS.detectingMisuse(false);
    assertThat(OperationProgram.random(7, 50_000, unchecked).operations())
        .noneMatch(Misuse.class::isInstance);
    assertThat(OperationProgram.everyKind(unchecked).operations())
        .noneMatch(Misuse.class::isInstance);
  }

  @Test
  void aProgramIsPrintedStepByStep() {
    OperationProgram program = OperationProgram.random(7, 3, OPTIONS);
    assertThat(program.toString())
        .startsWith("program of 3:")
        .contains(program.operations().getFirst().toString())
        .contains(program.operations().getLast().toString());
  }
}
