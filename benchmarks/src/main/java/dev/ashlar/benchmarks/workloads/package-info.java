// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * What is measured: one class for each workload.
 *
 * <p>Layer: the rightmost. May use the tables of blocks.
 */
package dev.ashlar.benchmarks.workloads;
