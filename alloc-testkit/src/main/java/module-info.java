// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * What it takes to test an allocator: contracts to extend, a model to compare with, faults to
 * inject.
 *
 * <p>It knows the interfaces of {@code alloc-api} and the operating system's of {@code alloc-prim},
 * and no engine: any implementation of them can be tested with it.
 */
module dev.ashlar.alloc.testkit {
  requires transitive dev.ashlar.alloc.api;
  requires transitive dev.ashlar.alloc.prim;
  requires transitive net.jqwik.api;
  requires transitive org.junit.jupiter.api;
  requires org.assertj.core;

  exports dev.ashlar.alloc.testkit;

  uses dev.ashlar.alloc.prim.VirtualMemoryProvider;
}
