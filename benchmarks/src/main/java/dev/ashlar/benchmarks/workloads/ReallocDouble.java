// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import java.util.function.IntConsumer;

/** Doubles a block from 64 bytes to 64 MiB and writes its last byte each time; then frees it. */
final class ReallocDouble implements Workload {

  private static final long FIRST = 64;
  private static final long LAST = 64 << 20;

  @Override
  public int slots() {
    return 1;
  }

  @Override
  public long operations() {
    return 1;
  }

  @Override
  public void run(Blocks blocks, IntConsumer piece) {
    blocks.put(0, FIRST, 0);
    for (long size = FIRST; size < LAST; size *= 2) {
      blocks.resize(0, size, size * 2);
      blocks.putByte(0, size * 2 - 1, (byte) 1);
    }
    blocks.free(0);
  }
}
