// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * The command that measures Ashlar beside other allocators.
 *
 * <p>Layer: the rightmost. This package may use every other of the module, and they do not use it.
 */
package dev.ashlar.benchmarks;
