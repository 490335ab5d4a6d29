// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.macos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The numbers of macOS, several of which differ from Linux's. */
class MacConstantsTest {

  @Test
  void constantsAreThoseOfTheHeaders() {
    assertThat(MacConstants.MAP_PRIVATE).isEqualTo(0x0002);
    assertThat(MacConstants.MAP_FIXED).isEqualTo(0x0010);
    assertThat(MacConstants.MAP_NORESERVE).isEqualTo(0x0040);
    assertThat(MacConstants.MAP_ANON).isEqualTo(0x1000);
    assertThat(MacConstants.MADV_FREE_REUSABLE).isEqualTo(7);
    assertThat(MacConstants.MADV_FREE_REUSE).isEqualTo(8);
    assertThat(MacConstants.SC_PAGESIZE).isEqualTo(29);
  }

  /**
   * The structure has the virtual size (8 bytes), two numbers of 4 bytes, then sizes of 8 bytes:
   * resident and its peak, two of devices, four of internal and external memory, two reusable,
   * three purgeable, three compressed, and the footprint.
   */
  @Test
  void theFieldsOfTheTaskInformationAreWhereTheHeaderPutsThem() {
    long sizes = 8 + 2 * 4;
    assertThat(MacConstants.RESIDENT_SIZE_OFFSET).isEqualTo(sizes);
    assertThat(MacConstants.RESIDENT_SIZE_PEAK_OFFSET).isEqualTo(sizes + 8);
    assertThat(MacConstants.PHYS_FOOTPRINT_OFFSET).isEqualTo(sizes + 8 * (2 + 2 + 4 + 2 + 3 + 3));
    assertThat(MacConstants.TASK_VM_INFO_COUNT * 4L)
        .isEqualTo(MacConstants.PHYS_FOOTPRINT_OFFSET + 8);
  }

  @Test
  void errorsHaveTheirNames() {
    assertThat(MacConstants.errorName(12)).isEqualTo("ENOMEM");
    assertThat(MacConstants.errorName(35)).isEqualTo("EAGAIN");
    assertThat(MacConstants.errorName(11)).isEqualTo("errno 11");
  }

  @Test
  void theBindingFitsMacsWithAarch64Only() {
    assertThat(MacMemoryProvider.fits("Mac OS X", "aarch64")).isTrue();
    assertThat(MacMemoryProvider.fits("Mac OS X", "x86_64")).isFalse();
    assertThat(MacMemoryProvider.fits("Linux", "aarch64")).isFalse();
  }
}
