// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * Thread heaps with magazines, frees from other threads, and the raw, segment and arena faces.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api}, {@code dev.ashlar.alloc.prim} and {@code
 * dev.ashlar.alloc.segment}.
 */
package dev.ashlar.alloc.heap;
