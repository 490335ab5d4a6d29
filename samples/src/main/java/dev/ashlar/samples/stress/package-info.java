// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * The stress run: many threads that allocate, resize, hand over and free blocks at random, each
 * block with a canary, and what must hold at the end.
 *
 * <p>Layer: the rightmost. This package may use every module of Ashlar and {@code
 * dev.ashlar.samples.index} and {@code dev.ashlar.samples.report}.
 */
package dev.ashlar.samples.stress;
