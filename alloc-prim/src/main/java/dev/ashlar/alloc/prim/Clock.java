// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

/** A monotonic clock. Implementations are safe for use by many threads at once. */
@FunctionalInterface
public interface Clock {

  /**
   * Reads the clock.
   *
   * @return nanoseconds since some fixed moment; only differences have a meaning
   */
  long nanoTime();
}
