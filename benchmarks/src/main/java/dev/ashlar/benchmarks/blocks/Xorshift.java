// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

/** The random numbers of the C program: xorshift64, and its way to pick slots and sizes. */
public final class Xorshift {

  private static final long SEED = 42;

  private long state;

  /**
   * Makes a generator.
   *
   * @param who a number that makes its numbers differ from those of others
   */
  public Xorshift(int who) {
    long seed = SEED + 0x9E3779B97F4A7C15L * (who + 1);
    state = seed == 0 ? 1 : seed;
  }

  public long next() {
    long x = step(state);
    state = x;
    return x;
  }

  /** The state, for loops that keep it in a local variable. */
  public long state() {
    return state;
  }

  public void setState(long state) {
    this.state = state;
  }

  /** The random number after another. */
  public static long step(long x) {
    x ^= x << 13;
    x ^= x >>> 7;
    x ^= x << 17;
    return x;
  }

  /** A slot below a bound, from the upper half of a random number. */
  public static int slot(long random, int bound) {
    return (int) (((random >>> 32) * bound) >>> 32);
  }

  /** A size of {@code least} to {@code least + span - 1}, from its lower half. */
  public static long size(long random, int least, int span) {
    return least + (((random & 0xFFFF_FFFFL) * span) >>> 32);
  }
}
