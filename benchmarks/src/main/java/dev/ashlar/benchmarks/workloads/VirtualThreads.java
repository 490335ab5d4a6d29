// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.blocks.Xorshift;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * 100,000 virtual threads, 1,000 alive at once: each allocates some blocks, lets others run, and
 * frees them, perhaps on another carrier. The time of a run is divided by the pairs of all threads
 * and includes the threads' starts.
 */
final class VirtualThreads implements Workload {

  private static final int ALIVE = 1_000;
  private static final int BLOCKS = 8;
  private static final int LEAST = 16;
  private static final int SPAN = 1009;

  private final int threads;

  VirtualThreads(int threads) {
    this.threads = threads;
  }

  @Override
  public int slots() {
    return ALIVE * BLOCKS;
  }

  @Override
  public long operations() {
    return (long) threads * BLOCKS;
  }

  @Override
  public void run(Blocks blocks, IntConsumer piece) {
    BlockingQueue<Integer> numbers = new ArrayBlockingQueue<>(ALIVE);
    for (int i = 0; i < ALIVE; i++) {
      numbers.add(i);
    }
    try {
      for (int i = 0; i < threads; i++) {
        int number = numbers.take();
        int serial = i;
        Thread.ofVirtual().start(() -> live(piece, serial, number, numbers));
      }
      for (int i = 0; i < ALIVE; i++) {
        numbers.take();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void live(
      IntConsumer piece, int serial, int number, BlockingQueue<Integer> numbers) {
    try {
      piece.accept(serial * ALIVE + number);
    } finally {
      numbers.add(number);
    }
  }

  @Override
  @CompilerControl(CompilerControl.Mode.INLINE)
  public void work(Blocks blocks, int thread) {
    int first = thread % ALIVE * BLOCKS;
    long state = thread / ALIVE + 1L; // the serial number: all runs then use the same sizes
    for (int i = 0; i < BLOCKS; i++) {
      state = Xorshift.step(state);
      blocks.put(first + i, Xorshift.size(state, LEAST, SPAN), i);
    }
    Thread.yield();
    for (int i = 0; i < BLOCKS; i++) {
      blocks.free(first + i);
    }
  }
}
