// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.testkit.ConfinedArenaContract;
import java.lang.foreign.Arena;

/** A confined arena of the process-wide allocator can take the place of the JDK's. */
class ConfinedArenaContractTest extends ConfinedArenaContract {

  @Override
  protected Arena newArena() {
    return Ashlar.shared().newConfinedArena();
  }
}
