// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.Arrays;

/**
 * Finds what an address of an address space belongs to.
 *
 * <p>There are two ways in. {@link #classes} has the size class of each slice as one native byte,
 * for code that must not touch a Java object. {@link #segmentAt} and {@link Segment#spanAt} give
 * the objects. {@link #marks}, where there is one, has a byte for each 16-byte granule that is not
 * zero only where a live block begins.
 *
 * <p>Look-ups take no lock. A thread that holds a live block sees the entries that were written
 * before the block was given out; for any other address it may see an outdated entry, never a
 * broken one.
 */
public final class PageMap {

  private static final int GRANULE_SHIFT = 4;

  /*
   * How far the tables' first entries are from the beginning of an OS page. That is where the first
   * blocks of pages are, which small programs use over and over, and processors go by the low
   * twelve bits of an address when they guess which load must wait for which store, and by most of
   * those when they choose a place in the cache. A block whose mark shares them costs twice as much.
   */
  private static final int MARKS_SKEW = 0x400;
  private static final int CLASSES_SKEW = 0x780;
  private static final int OWNERS_SKEW = 0xd00;

  private final AddressSpace space;
  private final Segment[] segments;
  private final SideTable classes;
  private final SideTable owners;
  private final SideTable marks;

  /**
   * Makes the empty map of an address space whose unit is {@link Segment#SEGMENT_BYTES}.
   *
   * @param memory the operating system
   * @param space the address space
   * @throws VirtualMemoryException if the operating system refuses the tables' memory
   */
  public PageMap(VirtualMemory memory, AddressSpace space) {
    this.space = space;
    this.segments = new Segment[Math.toIntExact(space.bytes() >>> Segment.SEGMENT_SHIFT)];
    this.classes = new SideTable(memory, space, Segment.SLICE_SHIFT, CLASSES_SKEW);
    this.owners = new SideTable(memory, space, Segment.SLICE_SHIFT, OWNERS_SKEW);
    this.marks = new SideTable(memory, space, GRANULE_SHIFT, MARKS_SKEW);
    classes.commit(memory, space.base(), space.bytes());
    owners.commit(memory, space.base(), space.bytes());
  }

  /**
   * Returns the address space this map is of.
   *
   * @return the address space
   */
  public AddressSpace space() {
    return space;
  }

  /**
   * Returns the size class of each slice: that of its page, {@link SizeClasses#LARGE} in the first
   * slice of a large block, else {@link SizeClasses#NONE}. {@link SizeClasses#OWNED} is added for
   * the pages of an explicit heap.
   *
   * @return the table, writable everywhere
   */
  public SideTable classes() {
    return classes;
  }

  /**
   * Returns the number of the explicit heap that each slice of a page and each first slice of a
   * large block belongs to; 0 where there is none.
   *
   * @return the table, writable everywhere
   */
  public SideTable owners() {
    return owners;
  }

  /**
   * Returns the table of where live blocks begin.
   *
   * @return the table, writable where there are segments
   */
  public SideTable marks() {
    return marks;
  }

  /**
   * Returns the segment an address lies in.
   *
   * @param address any number
   * @return the segment, or null if there is none
   */
  public Segment segmentAt(long address) {
    return space.contains(address)
        ? segments[(int) (address - space.base() >>> Segment.SEGMENT_SHIFT)]
        : null;
  }

  /**
   * Returns the page that an address lies in, or the large block that begins in its slice.
   *
   * @param address any number
   * @return the span, or null if there is neither
   */
  public Span spanAt(long address) {
    Segment segment = segmentAt(address);
    return segment == null ? null : segment.spanAt(address);
  }

  /** Enters or, with null, removes the segment of a range. */
  void put(long base, long bytes, Segment segment) {
    int first = (int) (base - space.base() >>> Segment.SEGMENT_SHIFT);
    int count = (int) (bytes >>> Segment.SEGMENT_SHIFT);
    Arrays.fill(segments, first, first + count, segment);
  }
}
