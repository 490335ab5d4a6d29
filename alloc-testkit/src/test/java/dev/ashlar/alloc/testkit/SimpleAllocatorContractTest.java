// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;

/** The allocator contract can be kept: the plainest allocator does. */
class SimpleAllocatorContractTest extends AllocatorContract {

  @Override
  protected Allocator newAllocator() {
    return new SimpleAllocator();
  }
}
