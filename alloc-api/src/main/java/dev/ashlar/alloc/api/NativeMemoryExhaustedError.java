// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

/**
 * Thrown when there is no memory for a request. The allocator is as it was before the request and
 * goes on working: freeing blocks makes room again.
 */
public final class NativeMemoryExhaustedError extends OutOfMemoryError {

  private static final long serialVersionUID = 1L;

  /** Bytes asked for. */
  private final long requested;

  /** Bytes in live blocks of the allocator. */
  private final long live;

  /** Bytes the refusing level allows. */
  private final long limit;

  /** Which level refused. */
  private final String level;

  /**
   * Makes the error of one refused request.
   *
   * @param requested bytes asked for, rounded up to the block that would have been given; {@link
   *     Long#MAX_VALUE} when the request does not fit in a {@code long}
   * @param live bytes in live blocks of the allocator that was asked
   * @param limit bytes the refusing level allows, {@link Long#MAX_VALUE} if it has no limit of its
   *     own
   * @param level which level refused, in words: "block size", "address space", "operating system"
   *     or the name of an allocator
   * @param cause the refusal of the level below, or null
   */
  public NativeMemoryExhaustedError(
      long requested, long live, long limit, String level, Throwable cause) {
    super(message(requested, live, limit, level, cause));
    if (cause != null) {
      initCause(cause);
    }
    this.requested = requested;
    this.live = live;
    this.limit = limit;
    this.level = level;
  }

  private static String message(
      long requested, long live, long limit, String level, Throwable cause) {
    return "no memory for a request of "
        + requested
        + (requested == Long.MAX_VALUE
            ? " or more bytes: refused by the "
            : " bytes: refused by the ")
        + level
        + " (live "
        + live
        + " bytes, limit "
        + (limit == Long.MAX_VALUE ? "none" : limit + " bytes")
        + ")"
        + (cause == null ? "" : ": " + cause.getMessage());
  }

  /**
   * Returns how much was asked for, rounded up to the block that would have been given.
   *
   * @return the size in bytes; {@link Long#MAX_VALUE} when the request does not fit in a {@code
   *     long}
   */
  public long requested() {
    return requested;
  }

  /**
   * Returns how much the allocator that was asked had in live blocks.
   *
   * @return the size in bytes
   */
  public long live() {
    return live;
  }

  /**
   * Returns how much the refusing level allows.
   *
   * @return the size in bytes; {@link Long#MAX_VALUE} if it has no limit of its own
   */
  public long limit() {
    return limit;
  }

  /**
   * Returns which level refused.
   *
   * @return "block size", "address space", "operating system" or the name of an allocator
   */
  public String level() {
    return level;
  }
}
