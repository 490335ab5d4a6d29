// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.blocks.Xorshift;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * Short-lived platform threads, a few at a time: each allocates some blocks, frees them and ends.
 * The time of a run is divided by the pairs of all threads and includes the threads' starts.
 */
final class ThreadChurn implements Workload {

  private static final int WAVES = 16;
  private static final int BLOCKS = 256;
  private static final int LEAST = 16;
  private static final int SPAN = 1009;

  private final int threads;
  private final int waves;
  private final Xorshift[] random;

  ThreadChurn(int threads, int shorter) {
    this.threads = threads;
    this.waves = Math.max(1, WAVES / shorter);
    this.random = Randoms.of(threads);
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public int slots() {
    return threads * BLOCKS;
  }

  @Override
  public long operations() {
    return (long) waves * threads * BLOCKS;
  }

  @Override
  public void run(Blocks blocks, IntConsumer piece) {
    Thread[] wave = new Thread[threads];
    for (int i = 0; i < waves; i++) {
      for (int k = 0; k < threads; k++) {
        int number = k;
        wave[k] = Thread.ofPlatform().start(() -> live(blocks, piece, number));
      }
      for (Thread thread : wave) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private static void live(Blocks blocks, IntConsumer piece, int number) {
    blocks.enterThread();
    piece.accept(number);
    blocks.leaveThread();
  }

  @Override
  @CompilerControl(CompilerControl.Mode.INLINE)
  public void work(Blocks blocks, int thread) {
    int first = thread * BLOCKS;
    long state = random[thread].state();
    for (int i = 0; i < BLOCKS; i++) {
      state = Xorshift.step(state);
      blocks.put(first + i, Xorshift.size(state, LEAST, SPAN), i);
    }
    for (int i = 0; i < BLOCKS; i++) {
      blocks.free(first + i);
    }
    random[thread].setState(state);
  }
}
