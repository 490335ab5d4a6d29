// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import dev.ashlar.samples.index.BlockUsage;
import dev.ashlar.samples.index.WindowBuild;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One build as a child JVM measured it. Resident sizes are of the child's process and in bytes.
 *
 * @param build what the build did
 * @param residentBefore before the child's first block
 * @param residentPeak the highest so far
 * @param residentAfter after all blocks were freed and the allocator was closed
 */
record Round(WindowBuild.Result build, long residentBefore, long residentPeak, long residentAfter) {

  private static final int FIELDS = 9;

  /** Writes the round as one line. */
  String toLine() {
    BlockUsage usage = build.usage();
    return Stream.of(
            build.nanos(),
            build.documents(),
            usage.operations(),
            usage.liveBlocks(),
            usage.peakLiveBytes(),
            residentBefore,
            residentPeak,
            residentAfter,
            build.checksum())
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  /** Reads what {@link #toLine()} wrote. */
  static Round fromLine(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("not a round: " + line);
    }
    BlockUsage usage =
        new BlockUsage(
            Long.parseLong(fields[2]), Integer.parseInt(fields[3]), 0, Long.parseLong(fields[4]));
    return new Round(
        new WindowBuild.Result(
            Long.parseLong(fields[0]), Integer.parseInt(fields[1]), usage, fields[8]),
        Long.parseLong(fields[5]),
        Long.parseLong(fields[6]),
        Long.parseLong(fields[7]));
  }
}
