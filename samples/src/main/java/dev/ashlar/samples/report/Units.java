// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.report;

import java.util.Locale;

/** Figures as people read them, the same in every locale. */
public final class Units {

  private static final String[] BINARY = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Units() {}

  /**
   * Shows a number of bytes in the unit that suits it.
   *
   * @param bytes the number of bytes
   * @return such as "64 KiB" or "23.5 GiB"; with a decimal only where it is not 0
   */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    // 1023.95 would be shown as 1024.0 of its unit.
    while (Math.abs(value) >= 1023.95 && unit < BINARY.length - 1) {
      value /= 1024;
      unit++;
    }
    String digits = String.format(Locale.ROOT, "%.1f", value);
    return (digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits)
        + " "
        + BINARY[unit];
  }

  /**
   * Shows a number of bytes in the unit that suits it, and exactly.
   *
   * @param bytes the number of bytes
   * @return such as "64 KiB (65536 bytes)"
   */
  public static String exactBytes(long bytes) {
    return Math.abs(bytes) < 1024 ? bytes(bytes) : bytes(bytes) + " (" + bytes + " bytes)";
  }

  /**
   * Shows a number of bytes in MiB, for columns.
   *
   * @param bytes the number of bytes
   * @return such as "12.3 MiB"
   */
  public static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%,.1f MiB", bytes / (double) (1 << 20));
  }

  /**
   * Shows a count.
   *
   * @param count the count
   * @return its digits in groups of three
   */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /**
   * Shows how many there are of something.
   *
   * @param count the count
   * @param one the name of one of them; an "s" makes it the name of several
   * @return such as "1 document" or "2,000 documents"
   */
  public static String count(long count, String one) {
    return count(count) + " " + one + (count == 1 ? "" : "s");
  }
}
