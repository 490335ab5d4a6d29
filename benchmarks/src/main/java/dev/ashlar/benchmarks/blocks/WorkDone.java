// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

/**
 * What a workload did: the same for every allocator.
 *
 * @param allocated blocks allocated
 * @param allocatedBytes bytes asked for
 * @param freed blocks freed
 * @param resized blocks resized
 */
public record WorkDone(long allocated, long allocatedBytes, long freed, long resized) {

  /** As a line that {@link #parse} reads. */
  public String line() {
    return allocated + " " + allocatedBytes + " " + freed + " " + resized;
  }

  public static WorkDone parse(String line) {
    String[] words = line.strip().split(" ", -1);
    return new WorkDone(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]));
  }
}
