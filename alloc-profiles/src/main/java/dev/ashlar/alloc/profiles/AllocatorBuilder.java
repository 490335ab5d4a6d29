// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.PurgeMode;
import dev.ashlar.alloc.heap.AllocatorOptions;
import dev.ashlar.alloc.heap.HeapAllocator;
import dev.ashlar.alloc.segment.Purge;
import java.time.Duration;
import java.util.Objects;

/**
 * Builds allocators. Each has heaps, segments and settings of its own: it shares no memory with any
 * other, and closing it gives back all it had.
 *
 * <p>A builder is for one thread; it can build several allocators.
 */
public final class AllocatorBuilder {

  private AllocatorOptions options = AllocatorOptions.defaults();

  AllocatorBuilder() {}

  /**
   * Sets what the allocator is called in messages.
   *
   * @param name the name; "ashlar" if it is not set
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is blank
   */
  public AllocatorBuilder name(String name) {
    options = options.withName(name);
    return this;
  }

  /**
   * Sets whether frees are checked.
   *
   * <p>With checks, which is the default, freeing what is no live block throws {@link
   * dev.ashlar.alloc.api.MemoryMisuseException} and does nothing. They cost a byte for each 16
   * bytes of memory in use, and time that is in the benchmark tables. Without them, a double free
   * may give one block to two users; some misuse is still found, later.
   *
   * @param checks whether to check
   * @return this builder
   */
  public AllocatorBuilder checks(boolean checks) {
    options = options.withChecks(checks);
    return this;
  }

  /**
   * Sets how memory that has been free for the {@linkplain #purgeDelay purge delay} goes back to
   * the operating system.
   *
   * @param mode how; {@link PurgeMode#DECOMMIT} if it is not set
   * @return this builder
   */
  public AllocatorBuilder purge(PurgeMode mode) {
    options = options.withPurge(options.purge().withMode(Objects.requireNonNull(mode, "mode")));
    return this;
  }

  /**
   * Sets how long memory has been free when it goes back to the operating system. With a delay of
   * zero it goes back before the call returns that freed it, which makes taking it into use again
   * slow each time. A delay is kept to within a few tenths, and to the next use of the allocator
   * without a {@linkplain #backgroundPurge background purge}.
   *
   * @param delay the delay, from zero to a day; a second if it is not set
   * @return this builder
   * @throws IllegalArgumentException if {@code delay} is negative or longer than a day
   */
  public AllocatorBuilder purgeDelay(Duration delay) {
    Duration longest = Duration.ofNanos(Purge.LONGEST_DELAY_NANOS);
    if (delay.isNegative() || delay.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "purgeDelay " + delay + " is not in " + Duration.ZERO + " to " + longest);
    }
    options = options.withPurge(options.purge().withDelayNanos(delay.toNanos()));
    return this;
  }

  /**
   * Sets whether memory goes back to the operating system while nobody calls the allocator. That is
   * what a thread does which all allocators of the process share; it is a daemon, begins when there
   * is first something to do, and sleeps while there is not. Without it, memory goes back when the
   * allocator is next called for more than a block that a thread has ready.
   *
   * @param background whether the thread sees to this allocator; true if it is not set
   * @return this builder
   */
  public AllocatorBuilder backgroundPurge(boolean background) {
    options = options.withPurge(options.purge().withBackground(background));
    return this;
  }

  /**
   * Opens an allocator with what has been set.
   *
   * @return an open allocator
   * @throws NativeMemoryExhaustedError if this process has too many open allocators
   */
  public Allocator build() {
    return HeapAllocator.open(options);
  }

  /** Returns what has been set. */
  AllocatorOptions options() {
    return options;
  }
}
