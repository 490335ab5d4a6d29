// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.profiles.Ashlar;

/**
 * Ashlar's malloc family.
 *
 * @param allocator the allocator
 * @param raw its malloc family, or that of a heap of it
 */
public record AshlarRawAdapter(Allocator allocator, RawAllocator raw) implements AddressAdapter {

  public static AshlarRawAdapter checked() {
    return over(Ashlar.shared());
  }

  public static AshlarRawAdapter unchecked() {
    return over(Ashlar.builder().name("unchecked").checks(false).build());
  }

  /** A heap of the calling thread's own: no other may use the adapter. */
  public static AshlarRawAdapter heap() {
    Allocator allocator = Ashlar.shared();
    return new AshlarRawAdapter(allocator, allocator.newHeap().raw());
  }

  private static AshlarRawAdapter over(Allocator allocator) {
    return new AshlarRawAdapter(allocator, allocator.raw());
  }

  @Override
  public long allocate(long size) {
    return raw.malloc(size);
  }

  @Override
  public long allocateZeroed(long size) {
    return raw.zalloc(size);
  }

  @Override
  public long reallocate(long address, long newSize) {
    return raw.realloc(address, newSize);
  }

  @Override
  public void free(long address) {
    raw.free(address);
  }

  @Override
  public boolean trim() {
    allocator.collect(true);
    return true;
  }
}
