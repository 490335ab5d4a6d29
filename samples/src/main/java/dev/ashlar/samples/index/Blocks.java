// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

/** The blocks of an index by slot, and what it asked its allocator for. */
final class Blocks {

  private final BlockStore store;
  private final long[] addresses;

  private long operations;
  private int live;
  private long liveBytes;
  private long peakLiveBytes;

  Blocks(BlockStore store, int slots) {
    this.store = store;
    this.addresses = new long[slots];
  }

  /** Returns the address of a slot's block, or 0 if it has none. */
  long address(int slot) {
    return addresses[slot];
  }

  long allocate(int slot, long bytes) {
    long address = store.allocate(slot, bytes);
    addresses[slot] = address;
    live++;
    count(bytes);
    return address;
  }

  long reallocate(int slot, long oldBytes, long newBytes) {
    long address = store.reallocate(slot, addresses[slot], oldBytes, newBytes);
    addresses[slot] = address;
    count(newBytes - oldBytes);
    return address;
  }

  void free(int slot, long bytes) {
    store.free(slot, addresses[slot]);
    addresses[slot] = 0;
    live--;
    count(-bytes);
  }

  /** Counts one call that changed the live bytes by a difference. */
  private void count(long difference) {
    operations++;
    liveBytes += difference;
    peakLiveBytes = Math.max(peakLiveBytes, liveBytes);
  }

  BlockUsage usage() {
    return new BlockUsage(operations, live, liveBytes, peakLiveBytes);
  }
}
