// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

/** Thrown when the demo cannot go on; the message is for the user, one line. */
public final class DemoFailure extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Makes the failure.
   *
   * @param message what happened, in one line
   */
  public DemoFailure(String message) {
    super(message);
  }
}
