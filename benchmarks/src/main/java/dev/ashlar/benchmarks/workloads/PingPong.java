// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.CompilerControl;

/** Allocates a block, writes it, frees it. */
final class PingPong implements Workload {

  private final long size;
  private final int pairs;
  private final boolean zeroed;

  PingPong(long size, int pairs, boolean zeroed) {
    this.size = size;
    this.pairs = pairs;
    this.zeroed = zeroed;
  }

  @Override
  public int slots() {
    return 0;
  }

  @Override
  public long operations() {
    return pairs;
  }

  @Override
  @CompilerControl(CompilerControl.Mode.INLINE)
  public void run(Blocks blocks, IntConsumer piece) {
    if (zeroed) {
      for (int i = 0; i < pairs; i++) {
        blocks.zeroedPair(size, i);
      }
    } else {
      for (int i = 0; i < pairs; i++) {
        blocks.pair(size, i);
      }
    }
  }
}
