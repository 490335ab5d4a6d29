// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The binding to Linux.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api} and {@code dev.ashlar.alloc.prim}.
 */
package dev.ashlar.alloc.prim.linux;
