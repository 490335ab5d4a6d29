// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

/** Thrown when a measuring process fails; the message says why. */
public class MeasuringException extends Exception {

  private static final long serialVersionUID = 1;

  public MeasuringException(String message) {
    super(message);
  }

  public MeasuringException(String message, Throwable cause) {
    super(message, cause);
  }
}
