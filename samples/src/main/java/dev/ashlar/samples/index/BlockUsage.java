// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

/**
 * What an index has asked its allocator for. It is the same on every allocator.
 *
 * @param operations calls so far: blocks allocated, resized and freed
 * @param liveBlocks blocks allocated and not freed
 * @param liveBytes bytes asked for in live blocks
 * @param peakLiveBytes the highest {@code liveBytes} so far
 */
public record BlockUsage(long operations, int liveBlocks, long liveBytes, long peakLiveBytes) {}
