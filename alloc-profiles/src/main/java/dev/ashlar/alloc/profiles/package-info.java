// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * Where a user begins: {@link dev.ashlar.alloc.profiles.Ashlar}.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api}, {@code dev.ashlar.alloc.prim}, {@code
 * dev.ashlar.alloc.segment} and {@code dev.ashlar.alloc.heap}.
 */
package dev.ashlar.alloc.profiles;
