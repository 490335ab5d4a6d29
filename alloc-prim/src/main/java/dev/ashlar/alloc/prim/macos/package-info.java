// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The binding to macOS on AArch64: its calls, its constants, and the memory made of them.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api} and {@code dev.ashlar.alloc.prim}.
 */
package dev.ashlar.alloc.prim.macos;
