// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

/** Thrown when the operating system refuses a memory call. */
public final class VirtualMemoryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The operating system's name of the error. */
  private final String errorName;

  /**
   * Makes the exception of one refused call.
   *
   * @param operation the call, as the operating system names it
   * @param address the beginning of the range it was about, 0 if there was none
   * @param bytes the size of that range in bytes
   * @param errorName the operating system's name of the error, such as {@code ENOMEM}
   */
  public VirtualMemoryException(String operation, long address, long bytes, String errorName) {
    super(
        operation
            + " of "
            + bytes
            + " bytes"
            + (address == 0 ? "" : " at 0x" + Long.toHexString(address))
            + " failed: "
            + errorName);
    this.errorName = errorName;
  }

  /**
   * Returns the operating system's name of the error.
   *
   * @return a name such as {@code ENOMEM}
   */
  public String errorName() {
    return errorName;
  }
}
