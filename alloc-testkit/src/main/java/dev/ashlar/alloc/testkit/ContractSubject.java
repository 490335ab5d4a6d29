// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;

/** What the parts of a contract are tried on. */
public interface ContractSubject {

  /**
   * Returns the allocator under test. A test frees everything it allocates from it.
   *
   * @return the allocator, the same object throughout a test
   */
  Allocator allocator();

  /**
   * Opens another allocator of the same kind, which is closed after the test.
   *
   * @return an allocator that shares no block with {@link #allocator()}
   */
  Allocator anotherAllocator();

  /**
   * Returns the raw face of the allocator under test.
   *
   * @return the raw face
   */
  default RawAllocator raw() {
    return allocator().raw();
  }

  /**
   * Reads the counters of the allocator under test.
   *
   * @return its counters
   */
  default LiveCounters live() {
    return LiveCounters.of(allocator());
  }
}
