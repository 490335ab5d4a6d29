// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

/**
 * What a workload did: the same for every allocator.
 *
 * @param allocated blocks allocated
 * @param allocatedBytes bytes asked for
 * @param freed blocks freed
 * @param resized blocks resized
 * @param checksum a sum over the sizes of all blocks that were allocated, freed and resized, which
 *     does not depend on their order
 */
public record WorkDone(
    long allocated, long allocatedBytes, long freed, long resized, long checksum) {

  private static final int NUMBERS = 5;

  /** As a line that {@link #parse} reads. */
  public String line() {
    return allocated + " " + allocatedBytes + " " + freed + " " + resized + " " + checksum;
  }

  /**
   * Reads a line of {@link #line}, or of the C program.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static WorkDone parse(String line) {
    String[] words = line.strip().split(" ", -1);
    if (words.length != NUMBERS) {
      throw new IllegalArgumentException("not " + NUMBERS + " numbers: " + line);
    }
    return new WorkDone(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }
}
