// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

/** An allocator that many threads share: each call holds the lock. */
final class LockedAllocator implements GuestAllocator {

  private final GuestAllocator allocator;

  LockedAllocator(GuestAllocator allocator) {
    this.allocator = allocator;
  }

  @Override
  public synchronized long malloc(long size) {
    return allocator.malloc(size);
  }

  @Override
  public synchronized long zalloc(long size) {
    return allocator.zalloc(size);
  }

  @Override
  public synchronized long alignedAlloc(long size, long alignment) {
    return allocator.alignedAlloc(size, alignment);
  }

  @Override
  public synchronized long realloc(long offset, long newSize) {
    return allocator.realloc(offset, newSize);
  }

  @Override
  public synchronized void free(long offset) {
    allocator.free(offset);
  }

  @Override
  public synchronized long usableSize(long offset) {
    return allocator.usableSize(offset);
  }

  @Override
  public synchronized GuestStats stats() {
    return allocator.stats();
  }

  @Override
  public GuestAllocator locked() {
    return this;
  }
}
