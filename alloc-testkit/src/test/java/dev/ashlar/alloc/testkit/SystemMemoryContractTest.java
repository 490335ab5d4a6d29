// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.VirtualMemory;

/** The binding of the operating system that this machine runs keeps its contract. */
class SystemMemoryContractTest extends VirtualMemoryContract {

  @Override
  protected VirtualMemory memory() {
    return VirtualMemory.system();
  }
}
