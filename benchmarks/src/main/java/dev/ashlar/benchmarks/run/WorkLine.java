// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.blocks.WorkCount;
import dev.ashlar.benchmarks.blocks.WorkDone;

/** The line by which a measuring process says what it did. */
final class WorkLine {

  private static final String BEGINNING = "work ";

  private WorkLine() {}

  static String of(WorkCount count) {
    return BEGINNING + count.done().line();
  }

  /**
   * Finds the line in what a process printed.
   *
   * @return what it did, or null if it did not say so
   */
  static WorkDone find(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith(BEGINNING))
        .findFirst()
        .map(line -> WorkDone.parse(line.substring(BEGINNING.length())))
        .orElse(null);
  }
}
