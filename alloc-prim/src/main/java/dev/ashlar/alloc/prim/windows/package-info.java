// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The binding to Windows: its calls, its constants and structures, and the memory made of them.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api} and {@code dev.ashlar.alloc.prim}.
 */
package dev.ashlar.alloc.prim.windows;
