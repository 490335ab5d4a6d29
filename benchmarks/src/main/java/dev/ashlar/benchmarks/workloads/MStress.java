// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.blocks.Xorshift;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * Every thread frees a random half of its blocks, fills up again, and exchanges some blocks with
 * the other threads through slots that all share.
 */
final class MStress extends TeamWorkload {

  private static final int OWN = 2048;
  private static final int SHARED = 1024;
  private static final int EXCHANGES = 256;
  private static final int LEAST = 16;
  private static final int SPAN = 1009;
  private static final int PIECES = 50;

  private final Xorshift[] random;

  MStress(int threads, int shorter) {
    super(threads, PIECES, OWN / 2 + EXCHANGES, shorter);
    random = Randoms.of(threads);
  }

  @Override
  public int slots() {
    return SHARED + threads() * OWN;
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
    int own = SHARED + thread * OWN;
    long begin = random[thread].state();
    long state = begin;
    for (int i = 0; i < OWN; i += 2) {
      state = Xorshift.step(state);
      blocks.free(own + i + (int) (state >>> 63));
    }
    state = begin; // the same slots again
    for (int i = 0; i < OWN; i += 2) {
      state = Xorshift.step(state);
      blocks.put(own + i + (int) (state >>> 63), Xorshift.size(state, LEAST, SPAN), i);
    }
    for (int i = 0; i < EXCHANGES; i++) {
      state = Xorshift.step(state);
      blocks.swap(Xorshift.slot(state, SHARED), Xorshift.size(state, LEAST, SPAN), i);
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
