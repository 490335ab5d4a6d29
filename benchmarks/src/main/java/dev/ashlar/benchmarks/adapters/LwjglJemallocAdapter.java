// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import org.lwjgl.system.jemalloc.JEmalloc;

/** The jemalloc that LWJGL brings, called through its JNI binding. */
public record LwjglJemallocAdapter() implements AddressAdapter {

  @Override
  public long allocate(long size) {
    return JEmalloc.nje_malloc(size);
  }

  @Override
  public long allocateZeroed(long size) {
    return JEmalloc.nje_calloc(1, size);
  }

  @Override
  public long reallocate(long address, long newSize) {
    return JEmalloc.nje_realloc(address, newSize);
  }

  @Override
  public void free(long address) {
    JEmalloc.nje_free(address);
  }
}
