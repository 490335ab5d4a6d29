// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import java.io.PrintWriter;

/** Shows how far the demo is: a bar on a terminal, else a line each time something else begins. */
public final class Progress {

  private static final int BAR_WIDTH = 30;

  private final PrintWriter out;
  private final boolean bar;
  private String phase = "";
  private int shown;

  /**
   * Makes a display.
   *
   * @param out where it is shown
   * @param bar true for a bar that is drawn over itself
   */
  public Progress(PrintWriter out, boolean bar) {
    this.out = out;
    this.bar = bar;
  }

  /**
   * Shows that something short has begun, with the bar only.
   *
   * @param newPhase what is going on
   */
  public void begin(String newPhase) {
    if (bar) {
      show(0, 1, newPhase, "");
    }
  }

  /**
   * Shows the state.
   *
   * @param done steps that are done
   * @param total steps in all
   * @param newPhase what is going on
   * @param detail which part of it, shown with the bar only
   */
  public void show(int done, int total, String newPhase, String detail) {
    if (bar) {
      int filled = total == 0 ? BAR_WIDTH : done * BAR_WIDTH / total;
      draw(
          "["
              + "#".repeat(filled)
              + ".".repeat(BAR_WIDTH - filled)
              + "] "
              + newPhase
              + (detail.isEmpty() ? "" : ", " + detail));
    } else if (!newPhase.equals(phase)) {
      out.println(newPhase);
      out.flush();
    }
    phase = newPhase;
  }

  /** Removes the bar. */
  public void finish() {
    if (bar && shown > 0) {
      draw("");
      out.print('\r');
      out.flush();
    }
  }

  private void draw(String line) {
    out.print('\r' + line + " ".repeat(Math.max(0, shown - line.length())));
    out.flush();
    shown = line.length();
  }
}
