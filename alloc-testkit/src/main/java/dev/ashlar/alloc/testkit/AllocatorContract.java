// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;

/**
 * Every promise of {@link Allocator} and of its raw face, for an allocator that checks addresses
 * and can be closed. A test class for an allocator extends this and says how to open one:
 *
 * <pre>{@code
 * final class MyAllocatorContractTest extends AllocatorContract {
 *   @Override
 *   protected Allocator newAllocator() {
 *     return new MyAllocator();
 *   }
 * }
 * }</pre>
 */
public abstract class AllocatorContract extends OpenAllocatorContract
    implements MisuseContract, ClosingContract {

  /** For subclasses. */
  protected AllocatorContract() {}
}
