// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The segment and page core: address space cut into segments, slices, spans and pages.
 *
 * <p>This module may use {@code alloc-api} and {@code alloc-prim}. Its package is for the other
 * modules of the family.
 */
@SuppressWarnings("module") // names modules that are not there yet when this one is compiled
module dev.ashlar.alloc.segment {
  requires transitive dev.ashlar.alloc.prim;

  exports dev.ashlar.alloc.segment to
      dev.ashlar.alloc.heap,
      dev.ashlar.alloc.secure,
      dev.ashlar.alloc.wasm,
      dev.ashlar.alloc.profiles;
}
