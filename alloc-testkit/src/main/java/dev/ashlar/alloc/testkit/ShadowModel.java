// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What must be live in an allocator, kept beside it: every block and every segment of an arena by
 * address, each full of a canary of its own.
 *
 * <p>It finds ranges that overlap, or may not be touched on a modelled operating system, when they
 * are given out, and damage when a range is resized, given back or checked. Any violation is an
 * {@link AssertionError}.
 */
public final class ShadowModel {

  /** A live range. */
  public static final class Range {

    private final long address;
    private final long size;
    private final long usable;
    private final long tag;
    private final Canary canary;
    private int position;

    private Range(long address, long size, long usable, long tag, Canary canary) {
      this.address = address;
      this.size = size;
      this.usable = usable;
      this.tag = tag;
      this.canary = canary;
    }

    /**
     * Returns where the range begins.
     *
     * @return the address
     */
    public long address() {
      return address;
    }

    /**
     * Returns the size asked for.
     *
     * @return the size in bytes
     */
    public long size() {
      return size;
    }

    /**
     * Returns the size that may be used.
     *
     * @return the size in bytes, at least the one asked for
     */
    public long usable() {
      return usable;
    }

    /**
     * Compares the canary.
     *
     * @throws AssertionError if a byte was changed
     */
    public void verify() {
      verifyAt(address, usable);
    }

    /**
     * Compares the beginning of the canary where the range may have moved to.
     *
     * @param there where it is now
     * @param kept how many bytes to compare
     * @throws AssertionError if a byte was changed
     */
    public void verifyAt(long there, long kept) {
      long damage = canary.firstDamage(there, kept, usable, tag);
      if (damage >= 0) {
        throw new AssertionError(
            "%s, of which %d bytes were to be kept, is damaged at %d: found %#x at %#x"
                .formatted(this, kept, damage, RawBytes.get(there + damage), there + damage));
      }
    }

    @Override
    public String toString() {
      return "range of %d (usable %d) bytes at %#x".formatted(size, usable, address);
    }
  }

  private final NavigableMap<Long, Range> byAddress = new TreeMap<>();
  private final List<Range> blocks = new ArrayList<>();
  private final long fullCanaryBytes;
  private long nextTag;
  private LiveCounters live = new LiveCounters(0, 0);
  private long arenaBytes;

  /**
   * Makes an empty model.
   *
   * @param tag what tells its canaries from those of other models
   * @param fullCanaryBytes the greatest usable size that is painted whole; larger ranges get {@link
   *     Canary#SPARSE}
   */
  public ShadowModel(long tag, long fullCanaryBytes) {
    this.nextTag = tag;
    this.fullCanaryBytes = fullCanaryBytes;
  }

  /**
   * Takes in a block that was given out, and paints it.
   *
   * @param address where it begins
   * @param size the size asked for
   * @param usable the usable size
   * @param alignment the alignment asked for
   * @throws AssertionError if it is at address 0, too small, misaligned, or overlaps a live range
   */
  public void addBlock(long address, long size, long usable, long alignment) {
    Range block = add(address, size, usable, alignment);
    block.position = blocks.size();
    blocks.add(block);
    live = live.plus(usable);
  }

  /**
   * Takes in a segment that an arena gave out, and paints it.
   *
   * @param address where it begins
   * @param size its size
   * @param alignment the alignment asked for
   * @return the range, to be handed to {@link #removeFromArena} when the arena closes
   * @throws AssertionError if it is at address 0, misaligned, or overlaps a live range
   */
  public Range addInArena(long address, long size, long alignment) {
    Range range = add(address, size, size, alignment);
    arenaBytes += size;
    return range;
  }

  private Range add(long address, long size, long usable, long alignment) {
    if (address == 0 || (address & (alignment - 1)) != 0 || usable < size) {
      throw new AssertionError(
          "%#x with %d usable bytes for %d bytes aligned to %d"
              .formatted(address, usable, size, alignment));
    }
    Canary canary = usable <= fullCanaryBytes ? Canary.FULL : Canary.SPARSE;
    Range range = new Range(address, size, usable, nextTag, canary);
    nextTag += 0x9E3779B97F4A7C15L;
    Map.Entry<Long, Range> before = byAddress.floorEntry(address);
    Map.Entry<Long, Range> after = byAddress.ceilingEntry(address);
    if (before != null && before.getValue().address + extent(before.getValue()) > address) {
      throw new AssertionError(range + " overlaps the live " + before.getValue());
    }
    if (after != null && address + extent(range) > after.getKey()) {
      throw new AssertionError(range + " overlaps the live " + after.getValue());
    }
    OperatingSystems.requireUsable(address, Math.max(usable, 1));
    byAddress.put(address, range);
    canary.paint(address, usable, range.tag);
    return range;
  }

  /** A range without bytes still has its address to itself. */
  private static long extent(Range range) {
    return Math.max(range.usable, 1);
  }

  /**
   * Finds a live block.
   *
   * @param pick any number not below zero
   * @return the block at that position counted round, or null if no block is live
   */
  public Range block(int pick) {
    return blocks.isEmpty() ? null : blocks.get(pick % blocks.size());
  }

  /**
   * Forgets a block that is about to be freed or was resized.
   *
   * @param block a live block of this model
   */
  public void removeBlock(Range block) {
    byAddress.remove(block.address);
    Range last = blocks.removeLast();
    if (last != block) {
      blocks.set(block.position, last);
      last.position = block.position;
    }
    live = live.minus(block.usable);
  }

  /**
   * Verifies and forgets a segment of an arena that is about to close.
   *
   * @param range what {@link #addInArena} returned
   * @throws AssertionError if it is damaged
   */
  public void removeFromArena(Range range) {
    range.verify();
    byAddress.remove(range.address);
    arenaBytes -= range.size;
  }

  /**
   * Compares the canary of everything that is live.
   *
   * @throws AssertionError if a byte was changed
   */
  public void verifyAll() {
    byAddress.values().forEach(Range::verify);
  }

  /**
   * Returns what the allocator's counters must be, segments of arenas left out.
   *
   * @return usable bytes and number of the live blocks
   */
  public LiveCounters live() {
    return live;
  }

  /**
   * Returns the size of all segments of open arenas.
   *
   * @return the size in bytes
   */
  public long arenaBytes() {
    return arenaBytes;
  }
}
