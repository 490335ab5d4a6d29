// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * Segments, slices, spans and pages.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api} and {@code dev.ashlar.alloc.prim}. Nothing here
 * knows threads: a {@link dev.ashlar.alloc.segment.SpanAllocator} has one lock, and a {@link
 * dev.ashlar.alloc.segment.Page} has one owner, with a bitmap of its own for everybody else.
 */
package dev.ashlar.alloc.segment;
