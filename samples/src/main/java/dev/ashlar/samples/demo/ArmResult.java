// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import dev.ashlar.samples.index.AllocatorArm;
import java.util.Collection;
import java.util.List;

/**
 * What an allocator did over all rounds. Resident sizes are above the child's resident size before
 * its first block.
 *
 * @param arm the allocator
 * @param documents documents that came and left in each round
 * @param operations blocks allocated, resized and freed in each round
 * @param nanos the median time of a round in nanoseconds
 * @param fastestNanos the shortest time of a round in nanoseconds
 * @param slowestNanos the longest time of a round in nanoseconds
 * @param liveBytes the most bytes asked for in live blocks at once
 * @param rssBaseBytes the resident size that the other two are counted from
 * @param rssPeakBytes the highest resident size above the base
 * @param rssAfterBytes the resident size above the base after the last round, when all blocks were
 *     freed and the allocator was closed
 * @param checksum the checksum of the index
 */
public record ArmResult(
    AllocatorArm arm,
    int documents,
    long operations,
    long nanos,
    long fastestNanos,
    long slowestNanos,
    long liveBytes,
    long rssBaseBytes,
    long rssPeakBytes,
    long rssAfterBytes,
    String checksum) {

  /**
   * Returns the time per operation, the index's own work included.
   *
   * @return nanoseconds
   */
  public double nanosPerOperation() {
    return (double) nanos / operations;
  }

  /**
   * Returns how many documents come and leave in a second.
   *
   * @return documents per second
   */
  public double documentsPerSecond() {
    return documents * 1e9 / nanos;
  }

  /**
   * Returns how many operations there are in a second.
   *
   * @return operations per second
   */
  public double operationsPerSecond() {
    return operations * 1e9 / nanos;
  }

  /**
   * Tells whether all allocators did the same work and built the same index.
   *
   * @param results results of the same input
   * @return true if they agree
   */
  public static boolean agree(Collection<ArmResult> results) {
    record Work(int documents, long operations, long liveBytes, String checksum) {}

    return results.stream()
            .map(r -> new Work(r.documents, r.operations, r.liveBytes, r.checksum))
            .distinct()
            .count()
        <= 1;
  }

  /** Sums up the rounds of one allocator, the last of which is the last in the list. */
  static ArmResult of(AllocatorArm arm, List<Round> rounds) throws DemoFailure {
    Round last = rounds.getLast();
    long base = last.residentBefore();
    List<Long> times = rounds.stream().map(round -> round.build().nanos()).sorted().toList();
    ArmResult result =
        new ArmResult(
            arm,
            last.build().documents(),
            last.build().usage().operations(),
            median(times),
            times.getFirst(),
            times.getLast(),
            last.build().usage().peakLiveBytes(),
            base,
            Math.max(0, last.residentPeak() - base),
            Math.max(0, last.residentAfter() - base),
            last.build().checksum());
    if (rounds.stream().map(r -> r.build().checksum()).distinct().count() != 1) {
      throw new DemoFailure(arm + " built different indexes of the same documents");
    }
    return result;
  }

  private static long median(List<Long> sorted) {
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
