// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A canary is found damaged where it was, after a move too, and nowhere else. */
class CanaryTest {

  private final MemorySegment memory = Arena.ofAuto().allocate(64 << 10, 4_096);
  private final long address = memory.address();

  @Test
  void whatWasPaintedIsWhole() {
    for (Canary canary : Canary.values()) {
      for (long bytes = 0; bytes < 40_000; bytes = bytes * 5 / 4 + 1) {
        canary.paint(address, bytes, 42);
        for (long kept : new long[] {0, 1, bytes / 3, bytes - 1, bytes}) {
          if (kept >= 0 && kept <= bytes) {
            assertThat(canary.firstDamage(address, kept, bytes, 42))
                .as("%s of %d bytes, %d kept", canary, bytes, kept)
                .isEqualTo(-1);
          }
        }
      }
    }
  }

  @Test
  void everyChangedByteOfAFullCanaryShows() {
    for (long bytes : new long[] {1, 7, 8, 9, 23, 100}) {
      for (long at = 0; at < bytes; at++) {
        Canary.FULL.paint(address, bytes, 1);
        RawBytes.put(address + at, (byte) (RawBytes.get(address + at) + 1));
        assertThat(Canary.FULL.firstDamage(address, bytes, bytes, 1)).isBetween(at & -8, at);
        assertThat(Canary.FULL.firstDamage(address, at, bytes, 1)).isEqualTo(-1);
        assertThat(Canary.FULL.firstDamage(address, at + 1, bytes, 1)).isBetween(at & -8, at);
      }
    }
  }

  @Test
  void everyOverwrittenPageOfASparseCanaryShows() {
    long bytes = 60_000;
    for (long at = 0; at + 4_096 <= bytes; at += 1_000) {
      Canary.SPARSE.paint(address, bytes, 1);
      RawBytes.fill(address + at, 4_096, (byte) 0);
      assertThat(Canary.SPARSE.firstDamage(address, bytes, bytes, 1))
          .isBetween(at & -8, at + 4_096);
    }
  }

  @Test
  void bothEndsOfASparseCanaryAreCoveredWhole() {
    long bytes = 60_001;
    for (long at : new long[] {0, 8, 4_095, bytes - 4_095, bytes - 9, bytes - 1}) {
      Canary.SPARSE.paint(address, bytes, 1);
      RawBytes.put(address + at, (byte) (RawBytes.get(address + at) + 1));
      assertThat(Canary.SPARSE.firstDamage(address, bytes, bytes, 1)).isBetween(at & -8, at);
    }
  }

  @Test
  void aCanaryMovesWithItsBlock() {
    Canary.FULL.paint(address, 100, 5);
    MemorySegment.copy(memory, 0, memory, 3_000, 100);
    assertThat(Canary.FULL.firstDamage(address + 3_000, 100, 100, 5)).isEqualTo(-1);
  }

  @Test
  void anotherTagOrAnOffsetIsDamage() {
    Canary.FULL.paint(address, 100, 5);
    assertThat(Canary.FULL.firstDamage(address, 100, 100, 6)).isZero();
    assertThat(Canary.FULL.firstDamage(address + 8, 50, 100, 5)).isZero();
  }
}
