// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {

  @Test
  void medianOfAnOddNumberIsTheMiddleValue() {
    assertThat(Statistics.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5.0);
  }

  @Test
  void medianOfAnEvenNumberIsTheMeanOfBothMiddleValues() {
    assertThat(Statistics.median(List.of(100.0, 2.0, 4.0, 1.0))).isEqualTo(3.0);
  }

  @Test
  void medianOfNothingIsRefused() {
    assertThatThrownBy(() -> Statistics.median(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void geometricMeanTreatsHalfAndDoubleAlike() {
    assertThat(Statistics.geometricMean(List.of(0.5, 2.0))).isCloseTo(1.0, within(1e-12));
    assertThat(Statistics.geometricMean(List.of(2.0, 4.0, 8.0))).isCloseTo(4.0, within(1e-12));
  }

  @Test
  void geometricMeanRefusesWhatHasNoLogarithm() {
    assertThatThrownBy(() -> Statistics.geometricMean(List.of(1.0, 0.0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void leastIsTheLeast() {
    assertThat(Statistics.least(List.of(3.0, 2.0, 7.0))).isEqualTo(2.0);
  }
}
