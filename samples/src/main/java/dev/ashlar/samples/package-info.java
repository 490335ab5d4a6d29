// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * The {@code ashlar} tool: one class per command.
 *
 * <p>Layer: the rightmost. This package may use every module of Ashlar, and the packages below it.
 */
package dev.ashlar.samples;
