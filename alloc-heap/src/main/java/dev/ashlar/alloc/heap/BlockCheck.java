// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.MemoryMisuseException.Kind;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.Segment;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.Span;
import dev.ashlar.alloc.segment.SpanAllocator;

/** Says what is wrong with an address that is no live block. */
final class BlockCheck {

  private BlockCheck() {}

  /**
   * Makes the exception for an address that has been refused.
   *
   * @param spans the span allocator of the allocator that was asked
   * @param address the address
   * @return the exception, to be thrown
   */
  static MemoryMisuseException misuse(SpanAllocator spans, long address) {
    synchronized (spans) { // so that spans do not change while they are described
      Segment segment = spans.map().segmentAt(address);
      if (segment == null) {
        return new MemoryMisuseException(Kind.FOREIGN, address, "it lies in no segment");
      }
      if (segment.owner() != spans) {
        return new MemoryMisuseException(
            Kind.FOREIGN, address, "it lies in a segment of another allocator");
      }
      Span span = segment.spanAround(address);
      if (span == null) {
        return new MemoryMisuseException(Kind.DOUBLE_FREE, address, "it lies in a free span");
      }
      return span.page() == null
          ? inLarge(span, address)
          : inPage(span.page(), address, spans.keepsMarks());
    }
  }

  private static MemoryMisuseException inLarge(Span span, long address) {
    if (address == span.address()) {
      return new MemoryMisuseException(
          Kind.DOUBLE_FREE, address, "its large block is being freed by another thread");
    }
    return new MemoryMisuseException(
        Kind.INTERIOR,
        address,
        "a large block of "
            + span.largeBytes()
            + " bytes begins at 0x"
            + Long.toHexString(span.address()));
  }

  private static MemoryMisuseException inPage(Page page, long address, boolean tracked) {
    int index = page.indexOf(address);
    if (index >= page.capacity()) {
      return new MemoryMisuseException(
          Kind.FOREIGN, address, "it lies behind the last block of its page");
    }
    long block = page.addressOf(index);
    String where =
        "a block of "
            + SizeClasses.bytes(page.sizeClass())
            + " bytes begins at 0x"
            + Long.toHexString(block);
    boolean live =
        tracked ? RawMemory.getByte(ProcessSpace.MARKS + (block >>> 4)) != 0 : !page.isFree(index);
    return new MemoryMisuseException(
        live && block != address ? Kind.INTERIOR : Kind.DOUBLE_FREE, address, where);
  }
}
