// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.testkit.AllocatorContract;

/** An allocator with checks keeps every promise. */
class CheckedAllocatorContractTest extends AllocatorContract {

  @Override
  protected Allocator newAllocator() {
    return HeapAllocator.open(AllocatorOptions.defaults());
  }

  @Override
  protected void checkInvariants(Allocator checked) {
    AllocatorInvariants.check(checked);
  }
}
