// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.prim.VirtualMemory.Access;
import org.junit.jupiter.api.Test;

/** Ranges are of whole OS pages, whatever their size. */
class RangesTest {

  @Test
  void aRangeBeginsAndEndsOnAPage() {
    for (long page : new long[] {4_096, 16_384, 65_536}) {
      assertThatCode(() -> Ranges.check(page, 3 * page, page)).doesNotThrowAnyException();
      assertThatThrownBy(() -> Ranges.check(page / 2, page, page))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Long.toString(page));
      assertThatThrownBy(() -> Ranges.check(page, page / 2, page))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void reservationsHaveAPossibleSizeAlignmentAndAccess() {
    assertThatCode(() -> Ranges.checkReservation(4_096, 8_192, Access.READ, 4_096))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Ranges.checkReservation(1L << 62, 1L << 62, Access.NONE, 4_096))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Ranges.checkReservation(4_096, 4_096, Access.READ_WRITE, 4_096))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void neighboursDoNotOverlap() {
    assertThatCode(() -> Ranges.checkDisjoint(8_192, 16_384, 8_192, 4_096))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Ranges.checkDisjoint(8_192, 12_288, 8_192, 4_096))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Ranges.checkDisjoint(12_288, 8_192, 8_192, 4_096))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
