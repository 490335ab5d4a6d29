// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "1023, 1023 bytes",
    "1024, 1 KiB",
    "65536, 64 KiB",
    "1536, 1.5 KiB",
    "1048575, 1 MiB",
    "25276510208, 23.5 GiB",
    "9223372036854775807, 8 EiB"
  })
  void showsBytesInTheUnitThatSuits(long bytes, String shown) {
    assertThat(Units.bytes(bytes)).isEqualTo(shown);
  }

  @Test
  void showsBytesExactly() {
    assertThat(Units.exactBytes(65_536)).isEqualTo("64 KiB (65536 bytes)");
    assertThat(Units.exactBytes(100)).isEqualTo("100 bytes");
  }

  @Test
  void showsMebibytesForColumns() {
    assertThat(Units.mebibytes(1_572_864)).isEqualTo("1.5 MiB");
    assertThat(Units.mebibytes(0)).isEqualTo("0.0 MiB");
  }

  @Test
  void showsCounts() {
    assertThat(Units.count(1_234_567)).isEqualTo("1,234,567");
    assertThat(Units.count(1, "round")).isEqualTo("1 round");
    assertThat(Units.count(2000, "round")).isEqualTo("2,000 rounds");
  }
}
