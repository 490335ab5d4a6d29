// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The address space of a modelled operating system: one reservation of the real one, handed out at
 * the addresses that the model chooses. Ranges have a gap between them that faults. Not safe for
 * use by many threads.
 */
final class ModelSpace {

  /** What {@link #take} returns when there is no room. */
  static final long NO_ROOM = 0;

  private static final long SPACE_BYTES = 1L << 43;

  private final VirtualMemory real;
  private final long granularity;
  private final long base;
  private final NavigableMap<Long, Long> ends = new TreeMap<>();

  ModelSpace(VirtualMemory real, long granularity) {
    this.real = real;
    this.granularity = granularity;
    this.base = real.reserve(SPACE_BYTES, granularity, Access.NONE);
  }

  /** Takes the lowest room that is large enough. */
  long take(long bytes, long alignment) {
    if (bytes > SPACE_BYTES) {
      return NO_ROOM;
    }
    long align = Math.max(alignment, granularity);
    long from = base + align - 1 & -align;
    for (Map.Entry<Long, Long> taken : ends.entrySet()) {
      if (from + bytes + granularity <= taken.getKey()) {
        break;
      }
      from = taken.getValue() + granularity + align - 1 & -align;
    }
    return takeAt(from, bytes) ? from : NO_ROOM;
  }

  /** Takes a room at an address; false if it is not free. */
  boolean takeAt(long address, long bytes) {
    if (address < base || address > base + SPACE_BYTES - bytes) {
      return false;
    }
    Map.Entry<Long, Long> before = ends.lowerEntry(address + bytes);
    if (before != null && before.getValue() > address) {
      return false;
    }
    ends.put(address, address + bytes);
    return true;
  }

  /** Gives a part back: what remains of its range stays taken. */
  void give(long address, long bytes) {
    Map.Entry<Long, Long> range = ends.floorEntry(address);
    long end = range.getValue();
    ends.remove(range.getKey());
    if (range.getKey() < address) {
      ends.put(range.getKey(), address);
    }
    if (end > address + bytes) {
      ends.put(address + bytes, end);
    }
    empty(address, bytes);
  }

  /** Tells whether a range is within one that is taken. */
  boolean contains(long address, long bytes) {
    Map.Entry<Long, Long> range = ends.floorEntry(address);
    return range != null && range.getValue() >= address + bytes;
  }

  /** Returns the size of the taken range that begins at an address, 0 if none does. */
  long sizeAt(long address) {
    Long end = ends.get(address);
    return end == null ? 0 : end - address;
  }

  /** Takes backing and access from a range. */
  void empty(long address, long bytes) {
    real.decommit(address, bytes);
    real.protect(address, bytes, Access.NONE);
  }

  void close() {
    real.release(base, SPACE_BYTES);
  }
}
