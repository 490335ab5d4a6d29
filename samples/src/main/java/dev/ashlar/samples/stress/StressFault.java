// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/** The allocator did what it must not do; the message says what. */
public final class StressFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes a fault.
   *
   * @param message what went wrong
   */
  public StressFault(String message) {
    super(message);
  }

  /**
   * Makes a fault of what a call threw.
   *
   * @param message where it went wrong
   * @param cause what was thrown
   */
  public StressFault(String message, Throwable cause) {
    super(message, cause);
  }
}
