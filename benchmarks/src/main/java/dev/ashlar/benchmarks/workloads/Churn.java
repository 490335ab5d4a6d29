// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.blocks.Xorshift;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.CompilerControl;

/** Replaces a random one of many live blocks. */
final class Churn implements Workload {

  private static final int OPERATIONS = 1024;

  private final Xorshift random = new Xorshift(1000);
  private final int slots;
  private final int least;
  private final int span;

  Churn(int slots, int least, int greatest) {
    this.slots = slots;
    this.least = least;
    this.span = greatest - least + 1;
  }

  @Override
  public int slots() {
    return slots;
  }

  @Override
  public long operations() {
    return OPERATIONS;
  }

  @Override
  public void fill(Blocks blocks) {
    for (int i = 0; i < slots; i++) {
      blocks.put(i, Xorshift.size(random.next(), least, span), i);
    }
  }

  @Override
  @CompilerControl(CompilerControl.Mode.INLINE)
  public void run(Blocks blocks, IntConsumer piece) {
    long state = random.state();
    for (int i = 0; i < OPERATIONS; i++) {
      state = Xorshift.step(state);
      int slot = Xorshift.slot(state, slots);
      blocks.free(slot);
      blocks.put(slot, Xorshift.size(state, least, span), i);
    }
    random.setState(state);
  }

  @Override
  public void empty(Blocks blocks) {
    for (int i = 0; i < slots; i++) {
      blocks.free(i);
    }
  }
}
