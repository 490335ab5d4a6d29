// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The place of the linear-memory allocators: a bump and a reclaiming allocator over a range that
 * only grows, and the host functions that serve a guest's {@code malloc}.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api}, {@code dev.ashlar.alloc.prim}, {@code
 * dev.ashlar.alloc.segment} and {@code dev.ashlar.alloc.heap}.
 */
package dev.ashlar.alloc.wasm;
