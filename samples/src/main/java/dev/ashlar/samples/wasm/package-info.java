// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * C programs for WebAssembly that get their memory from an allocator of the host.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api}, {@code dev.ashlar.alloc.wasm} and {@code
 * dev.ashlar.integrations.chicory}.
 */
package dev.ashlar.samples.wasm;
