// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

/** A source of unpredictable bytes. Implementations are safe for use by many threads at once. */
@FunctionalInterface
public interface Entropy {

  /**
   * Fills an array with unpredictable bytes.
   *
   * @param bytes the array to fill
   * @throws VirtualMemoryException if the operating system refuses
   */
  void fill(byte[] bytes);
}
