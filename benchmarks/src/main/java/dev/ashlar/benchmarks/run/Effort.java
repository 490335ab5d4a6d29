// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

/**
 * How much is measured.
 *
 * @param rounds how many processes for each workload and allocator
 * @param warmups how many warm-up iterations a process
 * @param warmupMillis how long each
 * @param samples how many samples a process
 * @param sampleMillis how long each, at least
 * @param limitSeconds how long a process may take before it is ended and called too slow
 */
public record Effort(
    int rounds, int warmups, int warmupMillis, int samples, int sampleMillis, int limitSeconds) {

  public static final Effort FULL = new Effort(2, 4, 200, 5, 100, 60);
  public static final Effort QUICK = new Effort(3, 3, 200, 5, 100, 60);

  public Effort withRounds(int newRounds) {
    return new Effort(newRounds, warmups, warmupMillis, samples, sampleMillis, limitSeconds);
  }

  public Effort withLimit(int newLimitSeconds) {
    return new Effort(rounds, warmups, warmupMillis, samples, sampleMillis, newLimitSeconds);
  }

  /** A guess at the seconds that a process takes, for the time left until there is experience. */
  public double guessSeconds() {
    return 1.5 + (warmups * warmupMillis + samples * sampleMillis) / 1000.0;
  }
}
