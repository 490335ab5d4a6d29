// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The malloc family as host functions for WebAssembly guests in Chicory.
 *
 * <p>{@link dev.ashlar.integrations.chicory.GuestMalloc} is what a guest imports, {@link
 * dev.ashlar.integrations.chicory.GuestScope} is how its host passes bytes and strings.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api} and {@code dev.ashlar.alloc.wasm}.
 */
package dev.ashlar.integrations.chicory;
