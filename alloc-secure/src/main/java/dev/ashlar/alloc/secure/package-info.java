// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The place of the hardened mode: encrypted free lists, guard pages, guarded sampling, quarantine,
 * zero on free, randomised order and per-block scopes, each a policy of its own.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api}, {@code dev.ashlar.alloc.prim}, {@code
 * dev.ashlar.alloc.segment} and {@code dev.ashlar.alloc.heap}.
 */
package dev.ashlar.alloc.secure;
