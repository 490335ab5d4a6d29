// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * Tables of live blocks over an adapter: the operations that workloads are made of, and their
 * check.
 *
 * <p>Layer: the rightmost. May use the adapters.
 */
package dev.ashlar.benchmarks.blocks;
