// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What could not be indexed: a line each, and beyond a screenful how many more. */
final class InputProblems {

  private static final int SHOWN = 20;

  private final List<String> lines = new ArrayList<>();
  private int count;

  void add(String line) {
    count++;
    if (lines.size() < SHOWN) {
      lines.add(line);
    }
  }

  int count() {
    return count;
  }

  void print(PrintWriter out, String prefix) {
    for (String line : lines) {
      out.println(prefix + line);
    }
    if (count > lines.size()) {
      out.println(prefix + "and " + (count - lines.size()) + " more were left out");
    }
    out.flush();
  }
}
