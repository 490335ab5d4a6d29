// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * From files, folders and zips to documents made of numbered words, all in the Java heap.
 *
 * <p>Layer: the rightmost. This package uses nothing but the JDK.
 */
package dev.ashlar.samples.text;
