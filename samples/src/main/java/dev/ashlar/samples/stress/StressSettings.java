// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/**
 * What a stress run is to do.
 *
 * @param seconds how long it allocates, if {@code operations} is 0
 * @param operations how many operations each worker does; 0 if the time counts instead
 * @param threads how many workers there are
 * @param virtual whether they are virtual threads
 * @param killThreads whether threads end at random moments, and others take over their blocks
 * @param profile the settings of the allocator
 * @param seed where the drawing begins: each worker does the same operations with the same seed,
 *     though not in the same order as the others do theirs
 */
public record StressSettings(
    int seconds,
    long operations,
    int threads,
    boolean virtual,
    boolean killThreads,
    StressProfile profile,
    long seed) {

  /**
   * Returns the command that does the same run again.
   *
   * @return a command line
   */
  public String command() {
    return "./ashlar stress"
        + (operations > 0 ? " --operations " + operations : " --seconds " + seconds)
        + " --threads "
        + threads
        + (virtual ? " --virtual" : "")
        + (killThreads ? " --kill-threads" : "")
        + " --profile "
        + profile
        + " --seed "
        + seed;
  }
}
