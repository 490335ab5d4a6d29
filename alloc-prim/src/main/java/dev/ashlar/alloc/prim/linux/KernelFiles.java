// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel tells in files, below a root directory that tests choose. */
final class KernelFiles {

  private static final String ROLLUP = "proc/self/smaps_rollup";
  private static final String STATUS = "proc/self/status";
  private static final String OVERCOMMIT = "proc/sys/vm/overcommit_memory";
  private static final String MEMINFO = "proc/meminfo";

  private final Path root;

  KernelFiles(Path root) {
    this.root = root;
  }

  long residentBytes() {
    return bytes(ROLLUP, "Rss:");
  }

  long peakResidentBytes() {
    return bytes(STATUS, "VmHWM:");
  }

  /** Returns the size of the writable private mappings. */
  long writableBytes() {
    return bytes(STATUS, "VmData:");
  }

  /** Tells whether all that is writable counts against a limit of the machine. */
  boolean countsWhatIsWritable() {
    List<String> lines = linesOrNone(root.resolve(OVERCOMMIT));
    return !lines.isEmpty() && lines.getFirst().strip().equals("2");
  }

  /** Returns the size of a large page, 0 if the kernel has none. */
  long largePageBytes() {
    for (String line : linesOrNone(root.resolve(MEMINFO))) {
      if (line.startsWith("Hugepagesize:")) {
        return value(line);
      }
    }
    return 0;
  }

  /** Reads the number behind a key in one of the kernel's "Key: 123 kB" files. */
  private long bytes(String file, String key) {
    Path path = root.resolve(file);
    try {
      for (String line : Files.readAllLines(path)) {
        if (line.startsWith(key)) {
          return value(line);
        }
      }
    } catch (IOException e) {
      throw new VirtualMemoryException("reading " + path, 0, 0, e.toString());
    }
    throw new VirtualMemoryException("reading " + key + " in " + path, 0, 0, "no such line");
  }

  private static long value(String line) {
    String number = line.substring(line.indexOf(':') + 1).strip();
    return Long.parseLong(number.substring(0, number.indexOf(' '))) << 10;
  }

  /** Reads the lines of a file; none if it cannot be read. */
  static List<String> linesOrNone(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
