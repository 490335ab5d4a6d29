// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * Linear memory and the allocators over it.
 *
 * <p>A {@link dev.ashlar.alloc.wasm.LinearMemory} only grows, by linear pages of 64 KiB. Three
 * allocators share one interface, {@link dev.ashlar.alloc.wasm.GuestAllocator}: which of them fits
 * depends on how long the program runs in a memory that never shrinks.
 *
 * <ul>
 *   <li>{@link dev.ashlar.alloc.wasm.BumpAllocator}: nothing is reused; for bounded runs.
 *   <li>{@link dev.ashlar.alloc.wasm.ScopedAllocator}: everything since a mark is reused at once;
 *       for programs that work in phases.
 *   <li>{@link dev.ashlar.alloc.wasm.ReclaimingAllocator}: each block is reused; for programs that
 *       run on.
 * </ul>
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api}, {@code dev.ashlar.alloc.prim}, {@code
 * dev.ashlar.alloc.segment} and {@code dev.ashlar.alloc.heap}.
 */
package dev.ashlar.alloc.wasm;
