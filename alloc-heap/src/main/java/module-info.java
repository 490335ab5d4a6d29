// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * Per-thread heaps and the faces users see: raw addresses, segments and arenas.
 *
 * <p>This module may use {@code alloc-api}, {@code alloc-prim} and {@code alloc-segment}. Its
 * package is for the other modules of the family.
 */
@SuppressWarnings("module") // names modules that are not there yet when this one is compiled
module dev.ashlar.alloc.heap {
  requires transitive dev.ashlar.alloc.segment;

  exports dev.ashlar.alloc.heap to
      dev.ashlar.alloc.secure,
      dev.ashlar.alloc.wasm,
      dev.ashlar.alloc.profiles;
}
