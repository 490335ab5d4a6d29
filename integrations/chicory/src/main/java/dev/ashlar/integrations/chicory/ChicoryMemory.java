// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.integrations.chicory;

import com.dylibso.chicory.runtime.Memory;
import dev.ashlar.alloc.wasm.LinearMemory;

/** The memory of a guest in Chicory as linear memory. */
final class ChicoryMemory implements LinearMemory {

  private final Memory memory;
  private final long zeroFrom;

  ChicoryMemory(Memory memory) {
    this.memory = memory;
    // Only what is added from here on is known to hold zeros.
    this.zeroFrom = (long) memory.pages() << PAGE_SHIFT;
  }

  @Override
  public int pages() {
    return memory.pages();
  }

  @Override
  public int maximumPages() {
    return Math.min(memory.maximumPages(), Memory.RUNTIME_MAX_PAGES);
  }

  @Override
  public int grow(int pages) {
    if (pages < 0) {
      throw new IllegalArgumentException(
          "growth " + pages + " is not in 0 to " + MAX_PAGES + " linear pages");
    }
    return memory.grow(pages);
  }

  @Override
  public long zeroFrom() {
    return zeroFrom;
  }

  @Override
  public void fill(long offset, long bytes, byte value) {
    check(offset, bytes);
    memory.fill(value, (int) offset, (int) (offset + bytes));
  }

  @Override
  public void copy(long from, long to, long bytes) {
    check(from, bytes);
    check(to, bytes);
    memory.copy((int) to, (int) from, (int) bytes);
  }

  private void check(long offset, long bytes) {
    long size = (long) memory.pages() << PAGE_SHIFT;
    if (offset < 0 || bytes < 0 || bytes > size - offset) {
      throw new IndexOutOfBoundsException(
          bytes + " bytes from " + offset + " on are not in the " + size + " bytes of the memory");
    }
  }
}
