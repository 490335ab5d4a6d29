// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.blocks.Xorshift;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * Every thread replaces random blocks, by turns of a coin among its own or its neighbour's, so that
 * half of the frees are of another thread's blocks.
 */
final class Larson extends TeamWorkload {

  private static final int SLOTS = 1024;
  private static final int LEAST = 16;
  private static final int SPAN = 1009;
  private static final int PIECES = 100;
  private static final int OPERATIONS = 1000;

  private final Xorshift[] random;

  Larson(int threads, int shorter) {
    super(threads, PIECES, OPERATIONS, shorter);
    random = Randoms.of(threads);
  }

  @Override
  public int slots() {
    return threads() * SLOTS;
  }

  @Override
  public void fill(Blocks blocks) {
    Xorshift sizes = new Xorshift(1000);
    for (int i = 0; i < slots(); i++) {
      blocks.put(i, Xorshift.size(sizes.next(), LEAST, SPAN), i);
    }
  }

  @Override
  @CompilerControl(CompilerControl.Mode.INLINE)
  public void work(Blocks blocks, int thread) {
    int own = thread * SLOTS;
    int neighbour = (thread + 1) % threads() * SLOTS;
    long state = random[thread].state();
    for (int i = 0; i < OPERATIONS; i++) {
      state = Xorshift.step(state);
      int first = (state & 1) != 0 ? own : neighbour;
      blocks.swap(first + Xorshift.slot(state, SLOTS), Xorshift.size(state, LEAST, SPAN), i);
    }
    random[thread].setState(state);
  }

  @Override
  public void empty(Blocks blocks) {
    super.empty(blocks);
    for (int i = 0; i < slots(); i++) {
      blocks.free(i);
    }
  }
}
