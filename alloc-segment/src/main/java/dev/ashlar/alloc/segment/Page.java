// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.prim.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A span cut into blocks of one size class, with a bit for each block.
 *
 * <pre>
 *   span    | block 0 | block 1 | block 2 |   ...   | block capacity-1 | unused |
 *   free      1         0         0                   1                            owner's bitmap
 *   remote    0         0         1                   0                            everybody's bitmap
 * </pre>
 *
 * <p>A block is in exactly one place: <em>free</em> here, <em>remote</em> here, or <em>out</em>,
 * that is in a magazine, in a depot or with the user. So {@code capacity = free + remote + out}.
 * Blocks are never written to by the allocator.
 *
 * <p>The free bitmap is the owner's and needs no synchronisation. The remote bitmap is where every
 * other thread puts back what it frees. A page with remote blocks stands at most once in its
 * owner's list of pages to drain, which {@link #pending} sees to:
 *
 * <pre>
 *             another thread sets remote bits,            the owner takes the whole list,
 *             wins the compare-and-set and                clears the mark, and only then
 *             puts the page in the list                   takes the remote bits
 *     IDLE  ------------------------------>  QUEUED  ------------------------------>  IDLE
 * </pre>
 *
 * <p>Bits are set before the mark is read and the mark is cleared before the bits are taken, all
 * with volatile semantics. So a thread that finds the page marked knows that the owner has yet to
 * take its bits, and no bit is left behind in a page that nobody drains.
 *
 * <p>A page object is used for one life of its span. One that stands in a drain list after its span
 * is gone has no bits left and is skipped.
 */
public final class Page {

  private static final int IDLE = 0;
  private static final int QUEUED = 1;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle PENDING;

  static {
    try {
      PENDING = MethodHandles.lookup().findVarHandle(Page.class, "pending", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Divides by the block size: {@code offset * reciprocal >>> 40} is exact for offsets below 2^20.
   */
  private static final int RECIPROCAL_SHIFT = 40;

  /** Changes once at most, for another thread to see that finds the owner it knew has gone. */
  private volatile PageOwner owner;

  private final Span span;
  private final int sizeClass;
  private final int blockBytes;
  private final int capacity;
  private final long start;
  private final long reciprocal;

  private final long[] free;
  private final long[] remote;
  private int freeCount;

  /** A word of the free bitmap at or before which there is nothing free, most of the time. */
  private int hint;

  /** Links of the owner's list of pages with free blocks. */
  private Page previous;

  private Page next;
  private boolean listed;

  /** IDLE or QUEUED. */
  private volatile int pending;

  /** The link of the owner's list of pages to drain. */
  private Page nextPending;

  /**
   * Makes the page of a span, with all blocks free.
   *
   * @param owner who takes blocks from it
   * @param span the span, of the length that the class asks for
   * @param sizeClass the class of its blocks
   */
  Page(PageOwner owner, Span span, int sizeClass) {
    this.owner = owner;
    this.span = span;
    this.sizeClass = sizeClass;
    this.blockBytes = SizeClasses.bytes(sizeClass);
    this.capacity = (int) (span.bytes() / blockBytes);
    this.start = span.address();
    this.reciprocal = ((1L << RECIPROCAL_SHIFT) + blockBytes - 1) / blockBytes;
    this.free = new long[capacity + 63 >>> 6];
    this.remote = new long[free.length];
    this.freeCount = capacity;
    Arrays.fill(free, -1L);
    if ((capacity & 63) != 0) {
      free[free.length - 1] = (1L << capacity) - 1;
    }
  }

  /**
   * Returns who takes blocks from this page.
   *
   * @return the owner
   */
  public PageOwner owner() {
    return owner;
  }

  void setOwner(PageOwner newOwner) {
    owner = newOwner;
  }

  /**
   * Returns the span this page is.
   *
   * @return the span
   */
  public Span span() {
    return span;
  }

  /**
   * Returns the class of this page's blocks.
   *
   * @return the class number
   */
  public int sizeClass() {
    return sizeClass;
  }

  /**
   * Returns how many blocks this page has.
   *
   * @return the number of blocks
   */
  public int capacity() {
    return capacity;
  }

  /**
   * Returns how many blocks are in the free bitmap. For the owner.
   *
   * @return the number of blocks
   */
  public int freeCount() {
    return freeCount;
  }

  /**
   * Tells whether an address lies in this page, in the unused rest too.
   *
   * @param address any number
   * @return true if it does
   */
  public boolean spans(long address) {
    return Long.compareUnsigned(address - start, span.bytes()) < 0;
  }

  /**
   * Returns the number of the block that an address lies in.
   *
   * @param address an address in this page
   * @return the number; {@link #capacity()} or more in the unused rest
   */
  public int indexOf(long address) {
    return (int) ((address - start) * reciprocal >>> RECIPROCAL_SHIFT);
  }

  /**
   * Returns where a block begins.
   *
   * @param index the number of the block
   * @return the address
   */
  public long addressOf(int index) {
    return start + (long) index * blockBytes;
  }

  /**
   * Tells whether a block begins at an address.
   *
   * @param index what {@link #indexOf} says of the address
   * @param address an address in this page
   * @return true if one does
   */
  public boolean startsAt(int index, long address) {
    return index < capacity && addressOf(index) == address;
  }

  /**
   * Tells whether a block is in this page's bitmaps, not out. Exact for the owner; for others it
   * may be outdated.
   *
   * @param index the number of the block
   * @return true if the block is free or remote
   */
  public boolean isFree(int index) {
    return ((free[index >>> 6] | (long) WORDS.getVolatile(remote, index >>> 6)) >>> index & 1) != 0;
  }

  /** Returns how many blocks are out. Exact while nobody takes any or puts any back. */
  int countOut() {
    int out = capacity;
    for (int word = 0; word < free.length; word++) {
      out -= Long.bitCount(free[word] | (long) WORDS.getVolatile(remote, word));
    }
    return out;
  }

  /**
   * Takes free blocks and writes their addresses to native memory, the lowest address last in
   * memory, so that a stack that pops from its end gives ascending addresses. For the owner.
   *
   * @param end where the first address is written; the next ones go to the 8 bytes before
   * @param want how many blocks at most
   * @return how many blocks were taken
   */
  public int take(long end, int want) {
    int got = 0;
    int word = hint;
    while (freeCount > got && got < want) {
      long bits = free[word];
      if (bits == 0) {
        word = word + 1 == free.length ? 0 : word + 1;
        continue;
      }
      long at = start + (long) (word << 6) * blockBytes;
      do {
        int bit = Long.numberOfTrailingZeros(bits);
        bits &= bits - 1;
        RawMemory.putLong(end - 8L * got, at + (long) bit * blockBytes);
        got++;
      } while (bits != 0 && got < want);
      free[word] = bits;
    }
    hint = word;
    freeCount -= got;
    return got;
  }

  /**
   * Takes one free block. For the owner, when {@link #freeCount()} is not 0.
   *
   * @return the address of the block
   */
  public long takeOne() {
    int word = hint;
    while (free[word] == 0) {
      word = word + 1 == free.length ? 0 : word + 1;
    }
    int bit = Long.numberOfTrailingZeros(free[word]);
    free[word] &= free[word] - 1;
    hint = word;
    freeCount--;
    return addressOf((word << 6) + bit);
  }

  /**
   * Puts a block back into the free bitmap. For the owner.
   *
   * @param index the number of the block
   * @return false if it was there already, which is a double free; nothing has changed then
   */
  public boolean give(int index) {
    long bit = 1L << index;
    if ((free[index >>> 6] & bit) != 0) {
      return false;
    }
    free[index >>> 6] |= bit;
    freeCount++;
    return true;
  }

  /**
   * Puts blocks of one word back into the remote bitmap. For any thread.
   *
   * @param word the index of the word
   * @param bits a bit for each block
   * @return the bits of blocks that were there already, each a double free
   */
  public long giveRemote(int word, long bits) {
    return (long) WORDS.getAndBitwiseOr(remote, word, bits) & bits;
  }

  /**
   * Marks this page as standing in its owner's drain list. For any thread, after {@link
   * #giveRemote}.
   *
   * @return true if the caller is the one to put it there
   */
  public boolean markPending() {
    return pending == IDLE && PENDING.compareAndSet(this, IDLE, QUEUED);
  }

  /**
   * Clears the mark, then moves the remote blocks into the free bitmap. For the owner.
   *
   * @return how many blocks were moved
   */
  public int drainRemote() {
    pending = IDLE;
    int moved = 0;
    for (int word = 0; word < remote.length; word++) {
      if ((long) WORDS.getVolatile(remote, word) != 0) {
        // A block that owner and another thread both freed is here and in the free bitmap: it
        // counts once.
        long bits = (long) WORDS.getAndSet(remote, word, 0L) & ~free[word];
        free[word] |= bits;
        moved += Long.bitCount(bits);
      }
    }
    freeCount += moved;
    return moved;
  }

  /**
   * Returns the next page in the owner's drain list.
   *
   * @return the next page or null
   */
  public Page nextPending() {
    return nextPending;
  }

  /**
   * Links this page to the next one in its owner's drain list. For the thread that marked it, and
   * for the owner after taking the list.
   *
   * @param page the next page or null
   */
  public void setNextPending(Page page) {
    nextPending = page;
  }

  /**
   * Tells whether this page stands in its owner's list of pages with free blocks.
   *
   * @return true if it does
   */
  public boolean listed() {
    return listed;
  }

  /** Where a {@link PageList} keeps its links. */
  Page next() {
    return next;
  }

  Page previous() {
    return previous;
  }

  void link(Page before, Page after, boolean inList) {
    previous = before;
    next = after;
    listed = inList;
  }

  /** Counts bits for {@link Invariants}: {free, remote}. */
  int[] countBits() {
    int[] counts = new int[2];
    for (int word = 0; word < free.length; word++) {
      if ((free[word] & remote[word]) != 0) {
        throw new AssertionError("block free and remote at once in page at 0x" + hex(start));
      }
      counts[0] += Long.bitCount(free[word]);
      counts[1] += Long.bitCount(remote[word]);
    }
    return counts;
  }

  private static String hex(long address) {
    return Long.toHexString(address);
  }
}
