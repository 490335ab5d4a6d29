// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.blocks.Xorshift;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * Serves a request: 200 blocks of mixed sizes that all die at its end, with an arena if there is
 * one.
 */
final class Request implements Workload {

  private static final int BLOCKS = 200;
  private static final int LEAST = 16;
  private static final int SPAN = 1009;

  private final Xorshift random = new Xorshift(1000);

  @Override
  public int slots() {
    return BLOCKS;
  }

  @Override
  public long operations() {
    return 1;
  }

  @Override
  @CompilerControl(CompilerControl.Mode.INLINE)
  public void run(Blocks blocks, IntConsumer piece) {
    blocks.request(0, BLOCKS, random, LEAST, SPAN);
  }
}
