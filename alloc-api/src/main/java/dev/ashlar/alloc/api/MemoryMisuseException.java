// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

/**
 * Thrown when an address or segment handed to an allocator is no live block of it. The call has had
 * no effect.
 *
 * <p>An allocator without checks finds some misuse only when the block goes back to its page, and
 * then tells whoever frees a block at that moment, whose own free has been done.
 */
public final class MemoryMisuseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What is wrong with an address. */
  public enum Kind {
    /** The address is of a block that is free already, or lies inside one. */
    DOUBLE_FREE("a block that is already free"),
    /** The address is of no memory that this allocator gives blocks from. */
    FOREIGN("memory that is not of this allocator"),
    /** The address lies inside a live block but is not its beginning. */
    INTERIOR("the inside of a live block"),
    /** The segment is of another kind than the call expects, as an arena's is. */
    MISMATCHED("memory that is freed by other means");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /** What is wrong. */
  private final Kind kind;

  /** The address that was handed in. */
  private final long address;

  /**
   * Makes the exception of one refused call.
   *
   * @param kind what is wrong with the address
   * @param address the address that was handed in
   * @param detail what is known of that address, or an empty string
   */
  public MemoryMisuseException(Kind kind, long address, String detail) {
    super(
        "address 0x"
            + Long.toHexString(address)
            + " is "
            + kind.words
            + (detail.isEmpty() ? "" : ": " + detail));
    this.kind = kind;
    this.address = address;
  }

  /**
   * Returns what is wrong with the address.
   *
   * @return the kind of misuse
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns the address that was handed in.
   *
   * @return the address
   */
  public long address() {
    return address;
  }
}
