// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * One adapter for each allocator: what a workload asks of it, and nothing else.
 *
 * <p>Layer: the rightmost. Of Ashlar it may use what users may use.
 */
package dev.ashlar.benchmarks.adapters;
