// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.testkit.ClosingContract;
import dev.ashlar.alloc.testkit.OpenAllocatorContract;

/** An allocator without checks keeps every promise but those about misused addresses. */
class UncheckedAllocatorContractTest extends OpenAllocatorContract implements ClosingContract {

  @Override
  protected Allocator newAllocator() {
    return HeapAllocator.open(AllocatorOptions.defaults().withChecks(false));
  }

  @Override
  protected void checkInvariants(Allocator checked) {
    AllocatorInvariants.check(checked);
  }
}
