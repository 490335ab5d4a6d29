// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * What comes out: statistics, tables, JSON, pages and charts.
 *
 * <p>Layer: the rightmost. May use the names of workloads and arms, and nothing that measures.
 */
package dev.ashlar.benchmarks.report;
