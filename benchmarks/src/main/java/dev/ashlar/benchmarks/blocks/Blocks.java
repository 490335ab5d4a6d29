// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

import dev.ashlar.benchmarks.adapters.AddressAdapter;
import dev.ashlar.benchmarks.adapters.AllocatorAdapter;
import dev.ashlar.benchmarks.adapters.ArenaAdapter;
import dev.ashlar.benchmarks.adapters.ObjectAdapter;

/**
 * A table of live blocks, and the operations that workloads are made of.
 *
 * <p>Each block gets 16 bytes written, its size and a tag, as the C program does it. Only {@link
 * #swap} may be called by several threads for one slot; else a slot is one thread's at a time.
 */
public interface Blocks {

  /** Makes a table over an adapter. */
  static Blocks over(AllocatorAdapter adapter, int slots) {
    return switch (adapter) {
      case AddressAdapter addresses -> AddressBlocks.over(addresses, slots);
      case ObjectAdapter<?> objects -> ObjectBlocks.over(objects, slots);
      case ArenaAdapter arenas -> ArenaBlocks.over(arenas, slots);
    };
  }

  /** Allocates a block, writes it and frees it. */
  void pair(long size, long tag);

  /** Allocates a zeroed block, writes it and frees it. */
  void zeroedPair(long size, long tag);

  /** Allocates a block into an empty slot and writes it. */
  void put(int slot, long size, long tag);

  /** Frees the block in a slot. */
  void free(int slot);

  /** Allocates a block, writes it, exchanges it for the one in a slot and frees that one. */
  void swap(int slot, long size, long tag);

  /** Changes the size of the block in a slot, keeping its contents. */
  void resize(int slot, long oldSize, long newSize);

  void putByte(int slot, long offset, byte value);

  void putLong(int slot, long offset, long value);

  long getLong(int slot, long offset);

  /**
   * Serves a request: allocates blocks of mixed sizes into slots, writes them and frees all,
   * together where the allocator can.
   */
  default void request(int firstSlot, int count, Xorshift random, int least, int span) {
    for (int i = 0; i < count; i++) {
      put(firstSlot + i, Xorshift.size(random.next(), least, span), i);
    }
    for (int i = 0; i < count; i++) {
      free(firstSlot + i);
    }
  }

  /** Prepares the calling platform thread. */
  void enterThread();

  /** Tells that the calling platform thread ends. */
  void leaveThread();
}
