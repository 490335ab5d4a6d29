// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.profiles.Ashlar;

/** Blocks of an allocator of their own through {@link RawAllocator}: bare addresses. */
final class AshlarRawStore implements BlockStore {

  private final Allocator allocator = Ashlar.builder().name("demo").build();
  private final RawAllocator raw = allocator.raw();

  @Override
  public long allocate(int slot, long bytes) {
    return raw.malloc(bytes);
  }

  @Override
  public long reallocate(int slot, long address, long oldBytes, long newBytes) {
    return raw.realloc(address, newBytes);
  }

  @Override
  public void free(int slot, long address) {
    raw.free(address);
  }

  @Override
  public void close() {
    allocator.close();
  }
}
