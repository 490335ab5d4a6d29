// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.profiles.Ashlar;

/**
 * Ashlar's malloc family.
 *
 * @param raw the allocator
 */
public record AshlarRawAdapter(RawAllocator raw) implements AddressAdapter {

  public static AshlarRawAdapter checked() {
    return new AshlarRawAdapter(Ashlar.shared().raw());
  }

  public static AshlarRawAdapter unchecked() {
    return new AshlarRawAdapter(Ashlar.builder().name("unchecked").checks(false).build().raw());
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
}
