// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.lang.foreign.Arena;

/** The contract of confined arenas says what the JDK's do. */
class JdkConfinedArenaTest extends ConfinedArenaContract {

  @Override
  protected Arena newArena() {
    return Arena.ofConfined();
  }
}
