// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * What comes out: statistics, tables, JSON, pages and charts.
 *
 * <p>Layer: the rightmost. May use the names of workloads and what they did, and nothing that
 * measures.
 */
package dev.ashlar.benchmarks.report;
