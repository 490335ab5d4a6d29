// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

/** An allocator whose blocks are bare addresses. */
public non-sealed interface AddressAdapter extends AllocatorAdapter {

  long allocate(long size);

  long allocateZeroed(long size);

  long reallocate(long address, long newSize);

  void free(long address);
}
