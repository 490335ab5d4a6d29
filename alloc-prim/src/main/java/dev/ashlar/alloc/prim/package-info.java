// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The contract between the allocators and the operating system, and raw memory access.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api}. Every native call and every restricted method of
 * the family is called here or in the bindings below this package.
 */
package dev.ashlar.alloc.prim;
