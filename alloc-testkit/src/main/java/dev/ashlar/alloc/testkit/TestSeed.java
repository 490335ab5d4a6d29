// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.util.SplittableRandom;

/**
 * Where random tests begin: another seed in every run, unless {@code -Dashlar.test.seed=} names
 * one. Every seed is printed with what it is for, so that any run can be repeated.
 */
public final class TestSeed {

  /** The system property that names a seed to repeat. */
  public static final String PROPERTY = "ashlar.test.seed";

  private TestSeed() {}

  /**
   * Chooses a seed and prints it.
   *
   * @param test what the seed is for, in words
   * @return the seed
   * @throws NumberFormatException if the property is set and is no number
   */
  public static long choose(String test) {
    String named = System.getProperty(PROPERTY, "");
    long seed = named.isEmpty() ? new SplittableRandom().nextLong() : Long.parseLong(named);
    System.out.println(test + ": seed " + seed + " (repeat with -D" + PROPERTY + "=" + seed + ")");
    return seed;
  }
}
