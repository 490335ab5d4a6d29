// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import java.lang.foreign.Arena;

/** Arenas: to free one block on its own, it needs an arena of its own. */
public non-sealed interface ArenaAdapter extends AllocatorAdapter {

  Arena newArena();
}
