// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import java.io.Serializable;

/**
 * What a {@link GuestAllocator} has given out of its memory.
 *
 * @param liveBytes bytes in live blocks, by usable size
 * @param peakBytes the most that was live at once
 * @param cumulativeBytes bytes in all blocks that were ever given out, reused memory counting each
 *     time
 * @param touchedPages how many linear pages there are from the beginning of the memory to the end
 *     of the block that reached farthest
 * @param memoryPages the size of the memory in linear pages
 */
public record GuestStats(
    long liveBytes, long peakBytes, long cumulativeBytes, int touchedPages, int memoryPages)
    implements Serializable {

  @Override
  public String toString() {
    return "live "
        + liveBytes
        + " bytes, peak "
        + peakBytes
        + " bytes, given out in all "
        + cumulativeBytes
        + " bytes, touched "
        + touchedPages
        + " of "
        + memoryPages
        + " linear pages";
  }
}
