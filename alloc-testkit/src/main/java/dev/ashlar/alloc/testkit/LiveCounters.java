// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.AllocatorStats;

/**
 * The counters that must be exact whenever no thread is inside an allocator.
 *
 * @param bytes usable bytes in live blocks
 * @param blocks number of live blocks
 */
public record LiveCounters(long bytes, long blocks) {

  /**
   * Reads the counters of an allocator.
   *
   * @param allocator the allocator, with no other thread inside
   * @return its counters
   */
  public static LiveCounters of(Allocator allocator) {
    AllocatorStats stats = allocator.stats();
    return new LiveCounters(stats.liveBytes(), stats.liveBlocks());
  }

  /**
   * Adds one block.
   *
   * @param usableBytes its usable size
   * @return the counters with that block
   */
  public LiveCounters plus(long usableBytes) {
    return new LiveCounters(bytes + usableBytes, blocks + 1);
  }

  /**
   * Takes one block away.
   *
   * @param usableBytes its usable size
   * @return the counters without that block
   */
  public LiveCounters minus(long usableBytes) {
    return new LiveCounters(bytes - usableBytes, blocks - 1);
  }
}
