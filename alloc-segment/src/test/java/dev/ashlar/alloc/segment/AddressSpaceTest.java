// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import dev.ashlar.alloc.testkit.FaultyMemory;
import org.junit.jupiter.api.Test;

class AddressSpaceTest {

  private static final long MIB = 1 << 20;
  private static final long UNIT = 4 * MIB;

  private final VirtualMemory system = VirtualMemory.system();
  private final FaultyMemory memory = new FaultyMemory(system);

  private AddressSpace reserve(long wanted, long least) {
    return AddressSpace.reserve(memory, wanted, least, UNIT, UNIT, Access.NONE);
  }

  private void release(AddressSpace space) {
    system.release(space.base(), space.bytes());
  }

  // https://github.com/microsoft/snmalloc/pull/227: over-large reservations fail in a small address
  // space, and smaller ones are there.
  @Test
  void halvesTheSizeUntilTheSystemAgrees() {
    memory.refuseReservationsAbove(64 * MIB);
    AddressSpace space = reserve(1 << 30, UNIT);
    assertThat(space.bytes()).isEqualTo(64 * MIB);
    release(space);
    memory.refuseReservationsAbove(8 * MIB);
    space = reserve(1 << 30, UNIT);
    assertThat(space.bytes()).isEqualTo(8 * MIB);
    release(space);
  }

  @Test
  void saysSoWhenEvenTheLeastIsRefusedAndWorksOnceItIsNot() {
    memory.refuseReservationsAbove(1 * MIB);
    assertThatThrownBy(() -> reserve(1 << 30, UNIT))
        .isInstanceOf(VirtualMemoryException.class)
        .hasMessageContaining("ENOMEM");
    memory.allow();
    release(reserve(1 << 30, UNIT));
  }

  @Test
  void takesRunsFirstFitAndTakesThemAgainOnceGiven() {
    AddressSpace space = reserve(16 * UNIT, 16 * UNIT);
    long base = space.base();
    assertThat(space.take(3, UNIT)).isEqualTo(base);
    assertThat(space.take(2, UNIT)).isEqualTo(base + 3 * UNIT);
    space.give(base, 3);
    assertThat(space.take(4, UNIT)).isEqualTo(base + 5 * UNIT);
    assertThat(space.take(1, UNIT)).isEqualTo(base);
    assertThat(space.take(2, UNIT)).isEqualTo(base + UNIT);
    assertThat(space.takenBytes()).isEqualTo(9 * UNIT);
    assertThat(space.take(8, UNIT)).isEqualTo(AddressSpace.NO_RUN);
    assertThat(space.take(7, UNIT)).isEqualTo(base + 9 * UNIT);
    assertThat(space.take(1, UNIT)).isEqualTo(AddressSpace.NO_RUN);
    assertThat(space.take(Long.MAX_VALUE, UNIT)).isEqualTo(AddressSpace.NO_RUN);
    release(space);
  }

  @Test
  void runsAreAlignedAsAsked() {
    AddressSpace space = reserve(64 * UNIT, 64 * UNIT);
    space.take(1, UNIT);
    for (long alignment = UNIT; alignment <= 16 * UNIT; alignment *= 2) {
      assertThat(space.take(1, alignment) % alignment).isZero();
    }
    assertThat(space.contains(space.base() - 1)).isFalse();
    assertThat(space.contains(space.base() + space.bytes() - 1)).isTrue();
    assertThat(space.contains(space.base() + space.bytes())).isFalse();
    assertThat(space.contains(-1)).isFalse();
    release(space);
  }
}
