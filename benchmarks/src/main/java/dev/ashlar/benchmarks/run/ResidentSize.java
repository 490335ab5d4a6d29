// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resident memory of this process, as the kernel adds it up over all mappings. */
final class ResidentSize {

  private static final Path ROLLUP = Path.of("/proc/self/smaps_rollup");

  private ResidentSize() {}

  static long bytes() {
    try {
      return parse(Files.readString(ROLLUP));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static long parse(String rollup) {
    for (String line : rollup.split("\n", -1)) {
      if (line.startsWith("Rss:")) {
        return Long.parseLong(line.substring(4, line.length() - 2).strip()) << 10;
      }
    }
    throw new IllegalArgumentException("no Rss in smaps_rollup");
  }
}
