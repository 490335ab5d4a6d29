// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.testkit.SharedArenaContract;
import java.lang.foreign.Arena;

/** A shared arena of the process-wide allocator can take the place of the JDK's. */
class SharedArenaContractTest extends SharedArenaContract {

  @Override
  protected Arena newArena() {
    return Ashlar.shared().newSharedArena();
  }
}
