// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The hardened mode of Ashlar.
 *
 * <p>This module may use {@code alloc-api}, {@code alloc-prim}, {@code alloc-segment} and {@code
 * alloc-heap}. It exports nothing.
 */
module dev.ashlar.alloc.secure {
  requires dev.ashlar.alloc.heap;
}
