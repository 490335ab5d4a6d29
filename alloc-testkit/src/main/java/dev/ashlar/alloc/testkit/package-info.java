// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * Contracts, models and faults for testing allocators.
 *
 * <p>Layer: may use {@code dev.ashlar.alloc.api} and {@code dev.ashlar.alloc.prim}; tests of every
 * other module may use this one.
 *
 * <ul>
 *   <li><b>Contracts</b> are abstract test classes, one test for each promise of an interface.
 *       Extend {@link dev.ashlar.alloc.testkit.AllocatorContract}, {@link
 *       dev.ashlar.alloc.testkit.ConfinedArenaContract}, {@link
 *       dev.ashlar.alloc.testkit.SharedArenaContract} or {@link
 *       dev.ashlar.alloc.testkit.VirtualMemoryContract} and say how to make the thing under test.
 *   <li><b>The model</b>: an {@link dev.ashlar.alloc.testkit.OperationProgram} is a list of calls;
 *       a {@link dev.ashlar.alloc.testkit.ProgramRunner} makes them on an allocator and compares
 *       each outcome with a {@link dev.ashlar.alloc.testkit.ShadowModel}.
 *   <li><b>Faults</b>: {@link dev.ashlar.alloc.testkit.FaultyMemory} is an operating system that
 *       refuses the call one asks it to; {@link dev.ashlar.alloc.testkit.FaultSweep} lets each call
 *       of a program fail in turn.
 * </ul>
 *
 * <p>Sizes, offsets and alignments are in bytes everywhere. Classes here are for one thread at a
 * time unless they say otherwise. A broken promise is an {@link java.lang.AssertionError}.
 */
package dev.ashlar.alloc.testkit;
