// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

/**
 * Knows which memory may be touched on a modelled operating system, and so finds memory that is
 * handed out although it was never committed or is no more.
 *
 * <p>A model is strict: what its operating system would refuse, ignore or answer with a crash, and
 * no right program asks for, is an {@link AssertionError}.
 */
public interface MemoryModel {

  /**
   * Checks that memory may be read and written.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @throws AssertionError if any page of it is not committed, or is protected or reset
   */
  void requireUsable(long address, long bytes);
}
