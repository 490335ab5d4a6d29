// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.testkit.FaultyMemory;
import dev.ashlar.alloc.testkit.FaultyMemory.Call;
import org.junit.jupiter.api.Test;

/** How much address space is reserved where there is little of it. */
class SpaceSizeTest {

  private static final long MIB = 1 << 20;

  @Test
  void aRefusedSizeIsHalvedUntilItFits() {
    FaultyMemory memory = new FaultyMemory(VirtualMemory.system());
    memory.refuseReservationsAbove(4096 * MIB);
    long size = SpaceSize.fitting(memory, 4096 * MIB);
    assertThat(size).isBetween(512 * MIB, 4096 * MIB).matches(bytes -> Long.bitCount(bytes) == 1);
    assertThat(memory.count(Call.RELEASE)).as("what was tried is given back").isEqualTo(1);
  }

  @Test
  void aRefusalOfEvenTheLeastIsAnErrorAndTheNextCallTriesAgain() {
    FaultyMemory memory = new FaultyMemory(VirtualMemory.system());
    memory.refuseReservationsAbove(8 * MIB);
    assertThatThrownBy(() -> SpaceSize.fitting(memory, 4096 * MIB))
        .isInstanceOf(NativeMemoryExhaustedError.class)
        .hasMessageContaining("address space");
    memory.allow();
    assertThat(SpaceSize.fitting(memory, 4096 * MIB)).isGreaterThanOrEqualTo(64 * MIB);
  }

  @Test
  void theSizeFollowsTheMemoryThatTheProcessMayUse() {
    VirtualMemory memory = VirtualMemory.system();
    assertThat(SpaceSize.fitting(memory, 500 * MIB)).isEqualTo(4096 * MIB);
    assertThat(SpaceSize.fitting(memory, 512 * MIB)).isEqualTo(4096 * MIB);
    assertThat(SpaceSize.fitting(memory, 1)).isEqualTo(64 * MIB);
  }
}
