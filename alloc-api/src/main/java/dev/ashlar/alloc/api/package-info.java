// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The public interfaces of the Ashlar allocators, their statistics and their errors.
 *
 * <p>Layer: the leftmost. This package uses nothing but the JDK.
 *
 * <p>Which error means what:
 *
 * <table>
 *   <caption>One outcome per fault</caption>
 *   <tr><th>Fault</th><th>Outcome</th></tr>
 *   <tr><td>Negative size, alignment that is not a positive power of two</td>
 *       <td>{@link java.lang.IllegalArgumentException}</td></tr>
 *   <tr><td>Alignment above {@link dev.ashlar.alloc.api.RawAllocator#MAX_ALIGNMENT}</td>
 *       <td>{@link java.lang.IllegalArgumentException}</td></tr>
 *   <tr><td>Any use after close</td><td>{@link java.lang.IllegalStateException}</td></tr>
 *   <tr><td>No memory, or a size no memory can hold</td>
 *       <td>{@link dev.ashlar.alloc.api.NativeMemoryExhaustedError}</td></tr>
 *   <tr><td>Double, foreign, interior or mismatched free</td>
 *       <td>{@link dev.ashlar.alloc.api.MemoryMisuseException}</td></tr>
 * </table>
 *
 * <p>Counters and live blocks after any of them are as they were before the call.
 */
package dev.ashlar.alloc.api;
