// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.CompilerControl;

/** Allocates many blocks, then frees all of them, newest or oldest first. */
final class Batch implements Workload {

  private static final int SLOTS = 1024;

  private final long size;
  private final boolean newestFirst;

  Batch(long size, boolean newestFirst) {
    this.size = size;
    this.newestFirst = newestFirst;
  }

  @Override
  public int slots() {
    return SLOTS;
  }

  @Override
  public long operations() {
    return SLOTS;
  }

  @Override
  @CompilerControl(CompilerControl.Mode.INLINE)
  public void run(Blocks blocks, IntConsumer piece) {
    for (int i = 0; i < SLOTS; i++) {
      blocks.put(i, size, i);
    }
    if (newestFirst) {
      for (int i = SLOTS - 1; i >= 0; i--) {
        blocks.free(i);
      }
    } else {
      for (int i = 0; i < SLOTS; i++) {
        blocks.free(i);
      }
    }
  }
}
