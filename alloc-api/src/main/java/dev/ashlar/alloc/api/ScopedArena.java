// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.api;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An arena for one thread that can be reset to a mark, for programs that work in phases.
 *
 * <p>Marks nest: each begins a scope inside the present one, and the newest is reset first. What is
 * allocated belongs to the newest scope. A reset ends that scope, so that every access to its
 * segments throws, and gives its memory to what is allocated next; it takes the same time whatever
 * was allocated, unless the arena poisons.
 *
 * <p>Segments are zeroed, as in any arena. All sizes are in bytes.
 *
 * <p>Every method but {@link #scope()} and {@link #depth()} throws {@link WrongThreadException} in
 * another thread than the one that made the arena.
 */
public interface ScopedArena extends Arena {

  /**
   * Begins a scope inside the present one.
   *
   * @return the number of the mark: how many there are
   * @throws IllegalStateException if this arena is closed
   */
  int mark();

  /**
   * Ends the newest scope: its segments cannot be accessed any more, and its memory is reused.
   *
   * @param mark its number
   * @throws IllegalStateException if {@code mark} is not the newest, if a segment of the scope is
   *     in use by a native call, or if this arena is closed; nothing has changed then
   */
  void reset(int mark);

  /**
   * Returns how many marks there are.
   *
   * @return the number of the newest mark, 0 if there is none
   */
  int depth();

  /**
   * Returns the scope that segments are allocated in at present.
   *
   * @return the newest scope; that of the arena itself if there is no mark
   */
  @Override
  MemorySegment.Scope scope();

  /**
   * Ends all scopes, the newest first, and frees all memory.
   *
   * @throws IllegalStateException if a segment is in use by a native call: its scope and those
   *     around it are then still open, those inside it reset; or if this arena is closed
   */
  @Override
  void close();
}
