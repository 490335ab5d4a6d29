// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * The demo: the same index built on several allocators, each in a JVM of its own, and the report.
 *
 * <p>Layer: the rightmost. This package may use every module of Ashlar, {@code
 * dev.ashlar.samples.text} and {@code dev.ashlar.samples.index}.
 */
package dev.ashlar.samples.demo;
