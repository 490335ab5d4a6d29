// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import org.lwjgl.system.rpmalloc.RPmalloc;

/** The rpmalloc that LWJGL brings, called through its JNI binding. */
public record RpmallocAdapter() implements AddressAdapter {

  public static RpmallocAdapter create() {
    RPmalloc.rpmalloc_initialize();
    return new RpmallocAdapter();
  }

  @Override
  public void enterThread() {
    RPmalloc.rpmalloc_thread_initialize();
  }

  @Override
  public void leaveThread() {
    RPmalloc.rpmalloc_thread_finalize(true);
  }

  @Override
  public boolean trim() {
    RPmalloc.rpmalloc_thread_collect();
    return true;
  }

  @Override
  public long allocate(long size) {
    return RPmalloc.nrpmalloc(size);
  }

  @Override
  public long allocateZeroed(long size) {
    return RPmalloc.nrpcalloc(1, size);
  }

  @Override
  public long reallocate(long address, long newSize) {
    return RPmalloc.nrprealloc(address, newSize);
  }

  @Override
  public void free(long address) {
    RPmalloc.nrpfree(address);
  }
}
