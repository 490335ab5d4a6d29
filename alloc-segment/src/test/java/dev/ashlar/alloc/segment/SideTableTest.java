// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.testkit.FaultyMemory;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SideTableTest {

  private static final int SHIFT = 4;
  private static final long RANGE = 256 << 10; // sixteen KiB of entries
  private static final int RANGES = 3;

  private final VirtualMemory system = VirtualMemory.system();
  private final FaultyMemory memory = new FaultyMemory(system);
  private final AddressSpace space =
      AddressSpace.reserve(memory, 1 << 20, 1 << 20, RANGE, RANGE, Access.NONE);

  @AfterEach
  void release() {
    system.release(space.base(), space.bytes());
  }

  private long range(int number) {
    return space.base() + number * RANGE;
  }

  private static byte value(int number) {
    return (byte) (number + 1);
  }

  /** A table whose first ranges have their number, plus one, in their first and last entry. */
  private SideTable filled(int skew) {
    SideTable table = new SideTable(memory, space, SHIFT, skew);
    for (int i = 0; i < RANGES; i++) {
      table.commit(memory, range(i), RANGE);
      table.put(range(i), value(i));
      table.put(range(i + 1) - 1, value(i));
    }
    return table;
  }

  private void assertThatTheSecondIsClear(SideTable table) {
    for (int i = 0; i < RANGES; i++) {
      byte expected = i == 1 ? 0 : value(i);
      assertThat(table.get(range(i))).as("first entry of range %d", i).isEqualTo(expected);
      assertThat(table.get(range(i + 1) - 1)).as("last entry of range %d", i).isEqualTo(expected);
    }
    assertThat(table.get(range(RANGES))).as("never written").isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1024, 4095, 4096})
  void clearsWhatItIsToldAndNoMore(int skew) {
    SideTable table = filled(skew);
    assertThat(table.clear(memory, range(1), RANGE)).isTrue();
    assertThatTheSecondIsClear(table);
    table.commit(memory, range(1), RANGE);
    table.put(range(1), (byte) 9);
    assertThat(table.get(range(1))).isEqualTo((byte) 9);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1024, 4095})
  void clearsEvenIfTheSystemTakesNothing(int skew) {
    SideTable table = filled(skew);
    memory.refuseAll(EnumSet.of(FaultyMemory.Call.DECOMMIT));
    assertThat(table.clear(memory, range(1), RANGE)).isFalse();
    assertThatTheSecondIsClear(table);
  }

  @Test
  void givesNothingBackOfAPageThatHasOtherEntries() {
    SideTable table = filled(1024);
    long calls = memory.made().size();
    long part = system.osPageBytes() << SHIFT - 1;
    assertThat(table.clear(memory, range(1), part)).isTrue();
    assertThat(memory.made()).hasSize((int) calls);
    assertThat(table.get(range(1))).isZero();
    assertThat(table.get(range(2) - 1)).isEqualTo(value(1));
  }

  @Test
  void beginsAsFarBehindAPageAsItWasTold() {
    long osPage = system.osPageBytes();
    assertThat(new SideTable(memory, space, SHIFT, 0).base() % osPage).isZero();
    assertThat(new SideTable(memory, space, SHIFT, 1024).base() % osPage).isEqualTo(1024);
  }
}
