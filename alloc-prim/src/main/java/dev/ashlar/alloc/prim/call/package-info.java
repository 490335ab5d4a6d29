// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * How the bindings call functions of the operating system's libraries.
 *
 * <p>Layer: may use the JDK alone.
 */
package dev.ashlar.alloc.prim.call;
