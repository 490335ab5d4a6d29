// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.lang.foreign.Arena;

/** The contract of shared arenas says what the JDK's do. */
class JdkSharedArenaTest extends SharedArenaContract {

  @Override
  protected Arena newArena() {
    return Arena.ofShared();
  }
}
