// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.CompilerControl;

/** Grows a block by 8 bytes at a time to 2.4 MB and writes them, then begins anew. */
final class ReallocAppend implements Workload {

  private static final int OPERATIONS = 1000;
  private static final long FIRST = 16;
  private static final long LAST = 2_400_000;

  private long size;

  @Override
  public int slots() {
    return 1;
  }

  @Override
  public long operations() {
    return OPERATIONS;
  }

  @Override
  public void fill(Blocks blocks) {
    begin(blocks);
  }

  @Override
  @CompilerControl(CompilerControl.Mode.INLINE)
  public void run(Blocks blocks, IntConsumer piece) {
    if (size >= LAST) {
      blocks.free(0);
      begin(blocks);
    }
    long now = size;
    for (int i = 0; i < OPERATIONS; i++) {
      blocks.resize(0, now, now + Long.BYTES);
      blocks.putLong(0, now, i);
      now += Long.BYTES;
    }
    size = now;
  }

  @Override
  public void empty(Blocks blocks) {
    blocks.free(0);
  }

  private void begin(Blocks blocks) {
    blocks.put(0, FIRST, 0);
    size = FIRST;
  }
}
