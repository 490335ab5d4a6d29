// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

/** A service that offers the binding of one operating system. */
public interface VirtualMemoryProvider {

  /**
   * Tells whether this binding is for the machine this process runs on.
   *
   * @return true if {@link #open()} may be called
   */
  boolean fitsThisMachine();

  /**
   * Makes the binding.
   *
   * @return the binding
   */
  VirtualMemory open();
}
