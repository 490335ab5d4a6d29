// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * An off-heap inverted index over a sliding window of documents, and the allocators it can run on.
 *
 * <p>Layer: the rightmost. This package may use every module of Ashlar, and {@code
 * dev.ashlar.samples.text}.
 */
package dev.ashlar.samples.index;
