// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/**
 * Shows how far a run is and how long it will take: drawn over itself on a terminal, else a line
 * each step.
 */
public final class Progress {

  private final PrintWriter out;
  private final boolean terminal;
  private final LongSupplier nanoTime;
  private final double guessSeconds;
  private int steps;
  private int begun;
  private int shown;
  private long start;

  /**
   * Makes a display.
   *
   * @param out where it is shown
   * @param terminal whether to draw over what was shown before
   * @param nanoTime the clock
   * @param guessSeconds how long a step takes, until that is known
   */
  public Progress(PrintWriter out, boolean terminal, LongSupplier nanoTime, double guessSeconds) {
    this.out = out;
    this.terminal = terminal;
    this.nanoTime = nanoTime;
    this.guessSeconds = guessSeconds;
  }

  void begin(int newSteps) {
    steps = newSteps;
    start = nanoTime.getAsLong();
  }

  void step(String what) {
    double seconds = (nanoTime.getAsLong() - start) / 1e9;
    double each = begun == 0 ? guessSeconds : seconds / begun;
    String left = left(each * (steps - begun));
    begun++;
    show("[" + begun + "/" + steps + "] " + left + " left: " + what);
  }

  void end() {
    if (terminal && shown > 0) {
      show("");
      out.print('\r');
      out.flush();
    }
  }

  static String left(double seconds) {
    if (seconds < 100) {
      return "about " + Math.round(seconds) + " s";
    }
    return "about " + Math.round(seconds / 60) + " min";
  }

  private void show(String line) {
    if (terminal) {
      out.print('\r' + line + " ".repeat(Math.max(0, shown - line.length())));
    } else {
      out.println(line);
    }
    out.flush();
    shown = line.length();
  }
}
