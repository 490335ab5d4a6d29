// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * How it is measured: interleaved rounds, each a process of its own.
 *
 * <p>Layer: the rightmost. May use the workloads and the adapters.
 */
package dev.ashlar.benchmarks.run;
