// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.segment.AddressSpace;
import dev.ashlar.alloc.segment.PageMap;
import dev.ashlar.alloc.segment.Segment;

/**
 * The address space that all allocators of this process share, as constants that the compiler folds
 * into the fast path.
 *
 * <p>There are four reservations, none of them backed before use: the segments, a byte a slice and
 * a byte a granule about them (both in the {@link PageMap}), and the slots of heaps' magazines.
 * What is about blocks is thus never beside blocks.
 */
final class ProcessSpace {

  /** The operating system. */
  static final VirtualMemory MEMORY = VirtualMemory.system();

  /** The alignment of the segments' reservation: blocks can be aligned as much. */
  static final long ALIGNMENT = 1L << 30; // a constant: reading it initialises nothing

  private static final long SIZE = SpaceSize.require();

  /** What maps segments' addresses to pages. */
  static final PageMap MAP =
      new PageMap(
          MEMORY,
          AddressSpace.reserve(MEMORY, SIZE, SIZE, Segment.SEGMENT_BYTES, ALIGNMENT, Access.NONE));

  /** Where segments begin. */
  static final long BASE = MAP.space().base();

  /** The binary logarithm of how many bytes of segments there can be. */
  static final int SHIFT = Long.numberOfTrailingZeros(MAP.space().bytes());

  /** Where the size classes of slices are: add {@code (address - BASE) >>> 16}. */
  static final long CLASSES = MAP.classes().base();

  /** Where the owners of slices are: add {@code (address - BASE) >>> 16}. */
  static final long OWNERS = MAP.owners().base();

  /** Where the marks of live blocks are: add {@code address >>> 4}. */
  static final long MARKS = MAP.marks().base() - (BASE >>> 4);

  /** The slots of heaps' magazines. */
  static final AddressSpace SLOTS =
      AddressSpace.reserve(
          MEMORY,
          SpaceSize.slotBytes(SIZE),
          SpaceSize.slotBytes(SIZE),
          HeapTable.CHUNK_BYTES,
          HeapTable.CHUNK_BYTES,
          Access.READ);

  /** Where the slots begin. */
  static final long SLOT_BASE = SLOTS.base();

  /** Masks an offset from {@link #SLOT_BASE}. */
  static final long SLOT_MASK = SLOTS.bytes() - 1;

  private ProcessSpace() {}
}
