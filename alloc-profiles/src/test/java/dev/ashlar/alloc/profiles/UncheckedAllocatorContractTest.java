// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.heap.AllocatorInvariants;
import dev.ashlar.alloc.testkit.ClosingContract;
import dev.ashlar.alloc.testkit.OpenAllocatorContract;

/** What the builder builds without checks keeps every promise but those about misuse. */
class UncheckedAllocatorContractTest extends OpenAllocatorContract implements ClosingContract {

  @Override
  protected Allocator newAllocator() {
    return Ashlar.builder().name("unchecked").checks(false).build();
  }

  @Override
  protected void checkInvariants(Allocator checked) {
    AllocatorInvariants.check(checked);
  }
}
