// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The entry point of Ashlar: the process-wide allocator and the builder of others.
 *
 * <p>This module may use {@code alloc-api}, {@code alloc-prim}, {@code alloc-segment} and {@code
 * alloc-heap}.
 */
module dev.ashlar.alloc.profiles {
  requires transitive dev.ashlar.alloc.api;
  requires dev.ashlar.alloc.heap;

  exports dev.ashlar.alloc.profiles;
}
