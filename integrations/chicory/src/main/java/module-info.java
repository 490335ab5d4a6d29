// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The malloc family as host functions for WebAssembly guests in Chicory.
 *
 * <p>This module may use {@code alloc-api} and {@code alloc-wasm}.
 */
module dev.ashlar.integrations.chicory {
  requires transitive dev.ashlar.alloc.wasm;
  requires transitive com.dylibso.chicory.runtime;

  exports dev.ashlar.integrations.chicory;
}
