// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.profiles.Ashlar;
import java.lang.foreign.MemorySegment;

/**
 * Blocks of an allocator of their own through {@link Allocator}: one {@link MemorySegment} a block,
 * kept until the block is freed, as a program does that has objects to hold them.
 */
final class AshlarSegmentStore implements BlockStore {

  private final Allocator allocator = Ashlar.builder().name("demo").build();
  private final MemorySegment[] blocks;

  AshlarSegmentStore(int slots) {
    blocks = new MemorySegment[slots];
  }

  @Override
  public long allocate(int slot, long bytes) {
    MemorySegment block = allocator.allocate(bytes);
    blocks[slot] = block;
    return block.address();
  }

  @Override
  public long reallocate(int slot, long address, long oldBytes, long newBytes) {
    MemorySegment block = allocator.reallocate(blocks[slot], newBytes);
    blocks[slot] = block;
    return block.address();
  }

  @Override
  public void free(int slot, long address) {
    allocator.free(blocks[slot]);
    blocks[slot] = null;
  }

  @Override
  public void close() {
    allocator.close();
  }
}
