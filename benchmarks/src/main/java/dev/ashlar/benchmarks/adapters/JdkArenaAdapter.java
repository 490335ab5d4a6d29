// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import java.lang.foreign.Arena;

/**
 * The JDK's own arenas.
 *
 * @param shared whether any thread may use and close them
 */
public record JdkArenaAdapter(boolean shared) implements ArenaAdapter {

  @Override
  public Arena newArena() {
    return shared ? Arena.ofShared() : Arena.ofConfined();
  }
}
