// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.segment.Purge;
import dev.ashlar.alloc.segment.SegmentPool;

/**
 * What an allocator is built from.
 *
 * @param name what it is called in messages
 * @param memory the operating system it asks to commit and decommit
 * @param checks whether each free is checked for double, foreign and interior addresses
 * @param segmentPool how many empty segments it keeps
 * @param purge when and how free memory goes back to the operating system
 * @param slots how many threads can have a heap of their own at a time, a power of two; others
 *     share heaps
 */
public record AllocatorOptions(
    String name,
    VirtualMemory memory,
    boolean checks,
    SegmentPool segmentPool,
    Purge purge,
    int slots) {

  /** The most slots. */
  public static final int MOST_SLOTS = 1 << 14;

  private static final int DEFAULT_SLOTS = 256;

  /**
   * Makes options.
   *
   * @throws IllegalArgumentException if {@code name} is blank or {@code slots} is not a power of
   *     two from 1 to {@value #MOST_SLOTS}
   */
  public AllocatorOptions {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name '" + name + "' is blank");
    }
    if (slots < 1 || slots > MOST_SLOTS || Integer.bitCount(slots) != 1) {
      throw new IllegalArgumentException(
          "slots " + slots + " is not a power of two in 1 to " + MOST_SLOTS);
    }
  }

  /**
   * Returns the options of an ordinary allocator over this process's memory, with checks.
   *
   * @return the options
   */
  public static AllocatorOptions defaults() {
    return new AllocatorOptions(
        "ashlar", VirtualMemory.system(), true, SegmentPool.DEFAULT, Purge.DEFAULT, DEFAULT_SLOTS);
  }

  /**
   * Returns these options with another name.
   *
   * @param newName the name
   * @return the options
   */
  public AllocatorOptions withName(String newName) {
    return new AllocatorOptions(newName, memory, checks, segmentPool, purge, slots);
  }

  /**
   * Returns these options with another operating system.
   *
   * @param newMemory the operating system
   * @return the options
   */
  public AllocatorOptions withMemory(VirtualMemory newMemory) {
    return new AllocatorOptions(name, newMemory, checks, segmentPool, purge, slots);
  }

  /**
   * Returns these options with or without checks.
   *
   * @param newChecks whether to check
   * @return the options
   */
  public AllocatorOptions withChecks(boolean newChecks) {
    return new AllocatorOptions(name, memory, newChecks, segmentPool, purge, slots);
  }

  /**
   * Returns these options with another policy for empty segments.
   *
   * @param newPool the policy
   * @return the options
   */
  public AllocatorOptions withSegmentPool(SegmentPool newPool) {
    return new AllocatorOptions(name, memory, checks, newPool, purge, slots);
  }

  /**
   * Returns these options with another policy for giving memory back.
   *
   * @param newPurge the policy
   * @return the options
   */
  public AllocatorOptions withPurge(Purge newPurge) {
    return new AllocatorOptions(name, memory, checks, segmentPool, newPurge, slots);
  }

  /**
   * Returns these options with another number of slots.
   *
   * @param newSlots the number of slots
   * @return the options
   */
  public AllocatorOptions withSlots(int newSlots) {
    return new AllocatorOptions(name, memory, checks, segmentPool, purge, newSlots);
  }
}
