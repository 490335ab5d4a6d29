// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Figures as people read them. */
final class Format {

  static final String NOTHING = "-";

  private Format() {}

  static String words(String words) {
    return words == null ? NOTHING : words;
  }

  /** Nanoseconds: three digits that count, in the unit that suits. */
  static String time(Double nanos) {
    if (nanos == null) {
      return NOTHING;
    }
    if (nanos >= 1e7) {
      return digits(nanos / 1e6) + " ms";
    }
    return nanos >= 1e5 ? digits(nanos / 1e3) + " us" : digits(nanos) + " ns";
  }

  static String mebibytes(Long bytes) {
    return bytes == null
        ? NOTHING
        : String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
  }

  static String bytes(Double bytes) {
    if (bytes == null) {
      return NOTHING;
    }
    return bytes >= 1 << 20
        ? mebibytes(Math.round(bytes))
        : String.format(Locale.ROOT, "%.0f B", bytes);
  }

  static String ratio(OptionalDouble ratio) {
    return ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : NOTHING;
  }

  static String ratio(double ratio) {
    return ratio(Double.isNaN(ratio) ? OptionalDouble.empty() : OptionalDouble.of(ratio));
  }

  private static String digits(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  }
}
