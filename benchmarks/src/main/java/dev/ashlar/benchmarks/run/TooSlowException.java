// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

/** Thrown when a measurement takes longer than the limit; the message says how long that is. */
public final class TooSlowException extends MeasuringException {

  private static final long serialVersionUID = 1;

  public TooSlowException(int limitSeconds, Throwable cause) {
    super("too slow: over " + limitSeconds + " s", cause);
  }
}
