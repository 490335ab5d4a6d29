// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import java.util.List;

/** The statistics of the reports. */
public final class Statistics {

  private Statistics() {}

  /** The middle value, or the mean of both middle values. */
  public static double median(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values have no median");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** The least value. */
  public static double least(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  /** The geometric mean, the mean of ratios; NaN of no values. */
  public static double geometricMean(List<Double> values) {
    double logs = 0;
    for (double value : values) {
      if (value <= 0) {
        throw new IllegalArgumentException("a ratio of " + value + " has no logarithm");
      }
      logs += Math.log(value);
    }
    return Math.exp(logs / values.size());
  }
}
