// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

/**
 * Whoever takes blocks from a page and puts them back without synchronisation: a heap.
 *
 * <p>A page keeps its owner for life. A heap that changes hands takes its pages along.
 */
public interface PageOwner {}
