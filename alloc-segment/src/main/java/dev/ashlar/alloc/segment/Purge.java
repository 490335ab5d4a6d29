// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.api.PurgeMode;
import dev.ashlar.alloc.prim.Capabilities;

/**
 * The policy that says when and how the memory of free spans goes back to the operating system.
 *
 * @param mode how
 * @param delayNanos how long a span has been free by then, in nanoseconds from 0, for at once, to
 *     {@link #LONGEST_DELAY_NANOS}
 * @param background whether the process's {@link Purger} sees to it; otherwise it is done when the
 *     allocator is next at work with spans
 */
public record Purge(PurgeMode mode, long delayNanos, boolean background) {

  /** The longest delay: a day. */
  public static final long LONGEST_DELAY_NANOS = 86_400_000_000_000L;

  /** Decommits in the background what has been free for a second. */
  public static final Purge DEFAULT = new Purge(PurgeMode.DECOMMIT, 1_000_000_000, true);

  /**
   * Makes a policy.
   *
   * @throws IllegalArgumentException if {@code delayNanos} is negative or longer than {@link
   *     #LONGEST_DELAY_NANOS}
   */
  public Purge {
    if (delayNanos < 0 || delayNanos > LONGEST_DELAY_NANOS) {
      throw new IllegalArgumentException(
          "purge delay " + delayNanos + " is not in 0 to " + LONGEST_DELAY_NANOS + " nanoseconds");
    }
  }

  /**
   * Returns the policy that keeps all free memory.
   *
   * @return the policy
   */
  public static Purge never() {
    return DEFAULT.withMode(PurgeMode.NEVER);
  }

  /**
   * Returns the policy that decommits a span as soon as it is free.
   *
   * @return the policy
   */
  public static Purge immediately() {
    return DEFAULT.withDelayNanos(0);
  }

  /**
   * Returns this policy with another mode.
   *
   * @param newMode how memory goes back
   * @return the policy
   */
  public Purge withMode(PurgeMode newMode) {
    return new Purge(newMode, delayNanos, background);
  }

  /**
   * Returns this policy with another delay.
   *
   * @param newDelayNanos the delay in nanoseconds
   * @return the policy
   * @throws IllegalArgumentException if it is negative or longer than {@link #LONGEST_DELAY_NANOS}
   */
  public Purge withDelayNanos(long newDelayNanos) {
    return new Purge(mode, newDelayNanos, background);
  }

  /**
   * Returns this policy with or without the process's {@link Purger}.
   *
   * @param newBackground whether it sees to purges
   * @return the policy
   */
  public Purge withBackground(boolean newBackground) {
    return new Purge(mode, delayNanos, newBackground);
  }

  /** Returns this policy as far as an operating system can do it. */
  Purge on(Capabilities system) {
    PurgeMode able =
        switch (mode) {
          case NEVER -> PurgeMode.NEVER;
          case DECOMMIT -> system.canDecommit() ? mode : PurgeMode.NEVER;
          case RESET -> system.canReset() ? mode : PurgeMode.DECOMMIT;
        };
    return able == mode ? this : withMode(able).on(system);
  }

  /** Tells whether a span is purged as soon as it is free. */
  boolean isImmediate() {
    return mode != PurgeMode.NEVER && delayNanos == 0;
  }

  /** Tells whether a span is purged when it has been free for some time. */
  boolean isTimed() {
    return mode != PurgeMode.NEVER && delayNanos > 0;
  }
}
