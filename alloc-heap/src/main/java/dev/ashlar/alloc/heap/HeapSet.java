// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.segment.SizeClasses;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * All heaps of an allocator, bound to a slot or not, and what those counted that are gone.
 *
 * <p>Heaps are added and removed under the lock of the {@link HeapTable}; anyone may look. Who sums
 * up while one is being removed may see it twice or not at all.
 */
final class HeapSet {

  /** Replaced, never written to. */
  private volatile ThreadHeap[] all = new ThreadHeap[0];

  /** Blocks of each class that went back by no heap of this set; negative if more came. */
  private final AtomicLongArray settled = new AtomicLongArray(SizeClasses.LAST_MEDIUM + 1);

  /** Blocks that came back from other threads to heaps that are gone. */
  private final AtomicLong remoteFrees = new AtomicLong();

  /** Returns the heaps at this moment. The array is not to be written to. */
  ThreadHeap[] all() {
    return all;
  }

  void add(ThreadHeap heap) {
    ThreadHeap[] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = heap;
    all = more;
  }

  /** Removes a heap that has no pages. */
  void remove(ThreadHeap heap) {
    ThreadHeap[] others = new ThreadHeap[all.length - 1];
    int kept = 0;
    for (ThreadHeap other : all) {
      if (other != heap) {
        others[kept++] = other;
      }
    }
    for (int c = 1; c <= SizeClasses.LAST_MEDIUM; c++) {
      settle(c, -heap.pages().balance(c));
    }
    remoteFrees.addAndGet(heap.pages().remoteBlocks());
    all = others;
  }

  void clear() {
    all = new ThreadHeap[0];
  }

  /** Counts blocks as gone back that no heap counts. */
  void settle(int sizeClass, long blocks) {
    settled.addAndGet(sizeClass, blocks);
  }

  /** Returns how many blocks of a class are out of their pages: in use, or cached by a heap. */
  long out(int sizeClass) {
    long out = -settled.get(sizeClass);
    for (ThreadHeap heap : all) {
      out += heap.pages().balance(sizeClass);
    }
    return out;
  }

  /** Returns how many blocks of a class are in magazines and depots. */
  long cached(int sizeClass) {
    long cached = 0;
    for (ThreadHeap heap : all) {
      cached += heap.cached(sizeClass);
    }
    return cached;
  }

  /** Returns how many blocks have come back to heaps' pages from other threads. */
  long remoteFrees() {
    long blocks = remoteFrees.get();
    for (ThreadHeap heap : all) {
      blocks += heap.pages().remoteBlocks();
    }
    return blocks;
  }
}
