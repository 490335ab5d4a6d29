// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

/** A linear memory that counts what is done to it, and refuses growth when it is told to. */
final class WatchedMemory implements LinearMemory {

  private final LinearMemory memory;
  long filledBytes;
  long copiedBytes;
  int grows;
  boolean refuses;

  WatchedMemory(LinearMemory memory) {
    this.memory = memory;
  }

  @Override
  public int pages() {
    return memory.pages();
  }

  @Override
  public int maximumPages() {
    return memory.maximumPages();
  }

  @Override
  public int grow(int pages) {
    grows++;
    return refuses ? REFUSED : memory.grow(pages);
  }

  @Override
  public long zeroFrom() {
    return memory.zeroFrom();
  }

  @Override
  public void fill(long offset, long bytes, byte value) {
    filledBytes += bytes;
    memory.fill(offset, bytes, value);
  }

  @Override
  public void copy(long from, long to, long bytes) {
    copiedBytes += bytes;
    memory.copy(from, to, bytes);
  }
}
