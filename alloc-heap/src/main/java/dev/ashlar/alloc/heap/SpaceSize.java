// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;

/**
 * How large the {@link ProcessSpace} is: found once, and before that class is initialised, as a
 * class whose initialisation fails once is of no use for ever, while address space may be there
 * when it is next asked for.
 */
final class SpaceSize {

  /** Segments are reserved for this many times the memory that the process may use. */
  private static final int MEMORIES = 8;

  private static final long LEAST_BYTES = 1L << 26;
  private static final long MOST_BYTES = 1L << 44;
  private static final long LEAST_SLOT_BYTES = 1L << 28;
  private static final long MOST_SLOT_BYTES = 1L << 35;

  /** The size that was found, or 0. */
  private static long found;

  private SpaceSize() {}

  /**
   * Returns how many bytes of segments this process reserves.
   *
   * @return the size in bytes, a power of two
   * @throws NativeMemoryExhaustedError if the operating system refuses even the least size; the
   *     next call tries again
   */
  static synchronized long require() {
    if (found == 0) {
      VirtualMemory memory = VirtualMemory.system();
      found = fitting(memory, memory.usableMemoryBytes());
    }
    return found;
  }

  /** Returns how many bytes of slots go with some bytes of segments. */
  static long slotBytes(long bytes) {
    return Math.clamp(bytes >>> 3, LEAST_SLOT_BYTES, MOST_SLOT_BYTES);
  }

  /**
   * Tries all reservations as one, halving the size until the operating system agrees.
   *
   * @param usableBytes how much memory the process may use: the machine's or its container's
   * @throws NativeMemoryExhaustedError if it refuses even the least size
   */
  static long fitting(VirtualMemory memory, long usableBytes) {
    long wanted = Long.highestOneBit(usableBytes * MEMORIES - 1) << 1;
    long size = Math.clamp(wanted, LEAST_BYTES, MOST_BYTES);
    while (true) {
      long parts =
          size
              + (size >>> 4)
              + (size >>> 15)
              + slotBytes(size)
              + 2 * Math.min(ProcessSpace.ALIGNMENT, size);
      long page = memory.osPageBytes();
      long all = parts + page - 1 & -page;
      try {
        memory.release(memory.reserve(all, page, Access.NONE), all);
        return size;
      } catch (VirtualMemoryException e) {
        if (size == LEAST_BYTES) {
          throw new NativeMemoryExhaustedError(all, 0, Long.MAX_VALUE, "address space", e);
        }
        size >>>= 1;
      }
    }
  }
}
