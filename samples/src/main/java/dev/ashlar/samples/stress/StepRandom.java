// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/**
 * The random numbers of one operation. They depend on the seed, the worker and the number of the
 * operation alone, so how many of them an operation draws changes nothing for the next one.
 */
final class StepRandom {

  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private final long base;
  private long state;

  /**
   * Makes the numbers of a worker.
   *
   * @param seed the seed of the run
   * @param stream the number of the worker, or another number that no worker has
   */
  StepRandom(long seed, long stream) {
    this.base = mix(seed + GAMMA * (2 * stream + 1));
  }

  /** Begins with the numbers of an operation. */
  void begin(long step) {
    state = mix(base + step);
  }

  long nextLong() {
    state += GAMMA;
    return mix(state);
  }

  /** Returns a number from 0 to {@code bound - 1}. */
  int nextInt(int bound) {
    return (int) Math.multiplyHigh(nextLong() >>> 1, (long) bound << 1);
  }

  /** Returns a number from 0 to {@code bound - 1}, small ones as often as large ones. */
  int nextSkewed(int bound) {
    return nextInt(bound) >>> nextInt(Integer.SIZE - Integer.numberOfLeadingZeros(bound));
  }

  /** Tells whether an event comes to pass that does so once in {@code times}. */
  boolean once(int times) {
    return nextInt(times) == 0;
  }

  private static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
