// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

/**
 * A posting list: one block that grows and shrinks as documents come and go at its two ends.
 *
 * <pre>
 * bytes  0         4      8      12
 *        capacity  head   tail   capacity postings of 8 bytes: document, slot of its positions
 * </pre>
 *
 * <p>The postings from {@code head} to {@code tail} are in use, oldest document first; those before
 * {@code head} are of documents that have left. The block grows by an eighth when it is full, and
 * shrinks when it is less than half used.
 */
final class PostingList {

  private static final int HEADER_BYTES = 12;
  private static final int HEAD = 4;
  private static final int TAIL = 8;
  private static final int POSTING_BYTES = 8;
  private static final int POSITIONS = 4;

  private static final int LEAST_GROWTH = 2;

  private PostingList() {}

  /**
   * Adds the newest document's posting.
   *
   * @param blocks the index's blocks
   * @param slot the list's slot, without a block if the list is empty
   * @param document the document
   * @param positionsSlot the slot of its positions
   */
  static void append(Blocks blocks, int slot, int document, int positionsSlot) {
    long list = blocks.address(slot);
    list = list == 0 ? create(blocks, slot) : makeRoom(blocks, slot, list);
    int tail = OffHeap.getInt(list + TAIL);
    OffHeap.putInt(at(list, tail), document);
    OffHeap.putInt(at(list, tail) + POSITIONS, positionsSlot);
    OffHeap.putInt(list + TAIL, tail + 1);
  }

  /**
   * Removes the oldest document's posting and, with the last one, the block.
   *
   * @param blocks the index's blocks
   * @param slot the list's slot
   * @param document the document whose posting is the oldest
   * @return the slot of its positions
   */
  static int removeOldest(Blocks blocks, int slot, int document) {
    long list = blocks.address(slot);
    int capacity = OffHeap.getInt(list);
    int head = OffHeap.getInt(list + HEAD);
    if (OffHeap.getInt(at(list, head)) != document) {
      throw new IllegalStateException("document " + document + " is not the oldest of its words");
    }
    int positionsSlot = OffHeap.getInt(at(list, head) + POSITIONS);
    head++;
    int used = OffHeap.getInt(list + TAIL) - head;
    if (used == 0) {
      blocks.free(slot, bytes(capacity));
    } else if (used < capacity / 2) {
      moveToFront(list, head, used);
      resize(blocks, slot, capacity, used);
    } else {
      OffHeap.putInt(list + HEAD, head);
    }
    return positionsSlot;
  }

  /** Returns how many postings a list has. */
  static int size(long list) {
    return OffHeap.getInt(list + TAIL) - OffHeap.getInt(list + HEAD);
  }

  /** Returns the document of a posting, counted from the oldest. */
  static int document(long list, int index) {
    return OffHeap.getInt(at(list, OffHeap.getInt(list + HEAD) + index));
  }

  /** Returns the slot of the positions of a posting, counted from the oldest. */
  static int positionsSlot(long list, int index) {
    return OffHeap.getInt(at(list, OffHeap.getInt(list + HEAD) + index) + POSITIONS);
  }

  private static long create(Blocks blocks, int slot) {
    // Many words are in one document only.
    long list = blocks.allocate(slot, bytes(1));
    OffHeap.putInt(list, 1);
    OffHeap.putInt(list + HEAD, 0);
    OffHeap.putInt(list + TAIL, 0);
    return list;
  }

  private static long makeRoom(Blocks blocks, int slot, long list) {
    int capacity = OffHeap.getInt(list);
    int head = OffHeap.getInt(list + HEAD);
    int tail = OffHeap.getInt(list + TAIL);
    if (tail < capacity) {
      return list;
    }
    int used = tail - head;
    if (head > 0) {
      moveToFront(list, head, used);
    }
    // Moving to the front pays only if it makes room for more than a few postings.
    if (used < capacity - capacity / 8) {
      return list;
    }
    return resize(blocks, slot, capacity, used + Math.max(LEAST_GROWTH, used / 8));
  }

  private static void moveToFront(long list, int head, int used) {
    OffHeap.copy(at(list, head), at(list, 0), (long) used * POSTING_BYTES);
    OffHeap.putInt(list + HEAD, 0);
    OffHeap.putInt(list + TAIL, used);
  }

  private static long resize(Blocks blocks, int slot, int capacity, int newCapacity) {
    long list = blocks.reallocate(slot, bytes(capacity), bytes(newCapacity));
    OffHeap.putInt(list, newCapacity);
    return list;
  }

  private static long at(long list, int index) {
    return list + HEADER_BYTES + (long) index * POSTING_BYTES;
  }

  private static long bytes(int capacity) {
    return HEADER_BYTES + (long) capacity * POSTING_BYTES;
  }
}
