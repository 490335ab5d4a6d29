// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * Allocators over WebAssembly linear memory.
 *
 * <p>This module may use {@code alloc-api}, {@code alloc-prim}, {@code alloc-segment} and {@code
 * alloc-heap}. It exports nothing.
 */
module dev.ashlar.alloc.wasm {
  requires dev.ashlar.alloc.heap;
}
