// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.Heap;
import dev.ashlar.alloc.api.RawAllocator;
import java.lang.foreign.MemorySegment;

/**
 * Allocates, resizes and frees on behalf of a worker, through either face, and sees to the
 * canaries. For one thread at a time.
 */
final class CheckedBlocks {

  /** The greatest block whose every byte may be covered by its canary. */
  private static final long FULL_BYTES = 64 << 10;

  private final Allocator allocator;
  private final RawAllocator raw;
  private final int worker;
  private int serial;
  private long remoteFrees;

  CheckedBlocks(Allocator allocator, int worker) {
    this.allocator = allocator;
    this.raw = allocator.raw();
    this.worker = worker;
  }

  Allocator allocator() {
    return allocator;
  }

  /** Returns how many blocks were freed that another thread had allocated. */
  long remoteFrees() {
    return remoteFrees;
  }

  /** Allocates a block in a way that is drawn. */
  StressBlock allocate(long size, long alignment, StepRandom random) {
    boolean zeroed = random.once(8);
    long address =
        random.once(4) ? bySegment(size, alignment, zeroed) : byAddress(size, alignment, zeroed);
    StressBlock block = blockAt(address, size, alignment, random);
    if (zeroed) {
      BlockCanary.checkZeroed(block);
    }
    BlockCanary.paint(block);
    return block;
  }

  private long bySegment(long size, long alignment, boolean zeroed) {
    MemorySegment segment =
        zeroed ? allocator.allocateZeroed(size, alignment) : allocator.allocate(size, alignment);
    if (segment.byteSize() != size) {
      throw new StressFault("asked for " + size + " bytes, got a segment of " + segment.byteSize());
    }
    return segment.address();
  }

  private long byAddress(long size, long alignment, boolean zeroed) {
    if (alignment <= RawAllocator.MIN_ALIGNMENT) {
      return zeroed ? raw.zalloc(size) : raw.malloc(size);
    }
    return zeroed ? raw.alignedZalloc(size, alignment) : raw.alignedAlloc(size, alignment);
  }

  private StressBlock blockAt(long address, long size, long alignment, StepRandom random) {
    StressBlock block =
        new StressBlock(
            address,
            size,
            alignment,
            worker,
            serial++,
            size <= FULL_BYTES && random.once(16),
            Thread.currentThread().threadId());
    if (address == 0 || (address & alignment - 1) != 0) {
      throw new StressFault(block + " is not aligned to " + alignment);
    }
    return block;
  }

  /** Allocates a block of a heap of the calling thread's. */
  StressBlock allocateFrom(Heap heap, long size, StepRandom random) {
    StressBlock block = blockAt(heap.raw().malloc(size), size, 1, random);
    BlockCanary.paint(block);
    return block;
  }

  /** Frees a block of a heap of the calling thread's through that heap. */
  void freeTo(Heap heap, StressBlock block) {
    BlockCanary.check(block);
    heap.raw().free(block.address());
  }

  /** Resizes a block; the one that is handed in is gone. */
  StressBlock resize(StressBlock block, long newSize, StepRandom random) {
    BlockCanary.check(block);
    noteFree(block);
    long address =
        random.once(4)
            ? allocator.reallocate(segmentOf(block), newSize, block.alignment()).address()
            : raw.alignedRealloc(block.address(), newSize, block.alignment());
    BlockCanary.checkAt(block, address, Math.min(block.size(), newSize));
    StressBlock resized = blockAt(address, newSize, block.alignment(), random);
    BlockCanary.paint(resized);
    return resized;
  }

  /** Frees a block. */
  void free(StressBlock block, StepRandom random) {
    BlockCanary.check(block);
    noteFree(block);
    if (random.once(4)) {
      allocator.free(segmentOf(block));
    } else {
      raw.free(block.address());
    }
  }

  private void noteFree(StressBlock block) {
    if (block.thread() != Thread.currentThread().threadId()) {
      remoteFrees++;
    }
  }

  private static MemorySegment segmentOf(StressBlock block) {
    return MemorySegment.ofAddress(block.address());
  }
}
