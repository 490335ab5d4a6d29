// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * How figures are shown to people and to programs.
 *
 * <p>Layer: the rightmost. This package may use every module of Ashlar.
 */
package dev.ashlar.samples.report;
