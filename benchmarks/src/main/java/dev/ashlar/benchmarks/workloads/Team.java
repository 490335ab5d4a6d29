// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntConsumer;

/** Threads that wait for work, so that their start is not timed. */
final class Team {

  private final CyclicBarrier gate;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;
  private volatile Throwable failure;

  /**
   * Starts a team.
   *
   * @param size how many threads
   * @param pieces how often each calls {@code piece} in a run
   * @param piece what each does, with its number
   * @param blocks told of each thread
   */
  Team(int size, int pieces, IntConsumer piece, Blocks blocks) {
    gate = new CyclicBarrier(size + 1);
    for (int i = 0; i < size; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("team-" + i)
              .start(() -> serve(number, pieces, piece, blocks)));
    }
  }

  /** Lets all threads work once, and waits for them. */
  void run() {
    pass();
    pass();
    if (failure != null) {
      throw new IllegalStateException("a thread of the team failed", failure);
    }
  }

  /** Ends the threads. */
  void stop() {
    stopped = true;
    pass();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void serve(int number, int pieces, IntConsumer piece, Blocks blocks) {
    blocks.enterThread();
    while (true) {
      pass();
      if (stopped) {
        blocks.leaveThread();
        return;
      }
      try {
        for (int i = 0; i < pieces; i++) {
          piece.accept(number);
        }
      } catch (RuntimeException | Error e) {
        failure = failure == null ? e : failure;
      }
      pass();
    }
  }

  private void pass() {
    try {
      gate.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }
}
