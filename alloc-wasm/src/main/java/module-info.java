// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * Allocators over linear memory, which only grows: WebAssembly's, or the like of it outside the
 * Java heap.
 *
 * <p>This module may use {@code alloc-api}, {@code alloc-prim}, {@code alloc-segment} and {@code
 * alloc-heap}.
 */
module dev.ashlar.alloc.wasm {
  requires transitive dev.ashlar.alloc.api;
  requires dev.ashlar.alloc.segment;

  exports dev.ashlar.alloc.wasm;
}
