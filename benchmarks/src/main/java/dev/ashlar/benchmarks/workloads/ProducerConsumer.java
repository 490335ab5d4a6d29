// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jmh.annotations.CompilerControl;

/** One thread only allocates, another only frees; batches go through a ring. */
final class ProducerConsumer extends TeamWorkload {

  private static final int THREADS = 2;
  private static final int BATCH = 64;
  private static final int RING = 64;
  private static final int PIECES = 64;
  private static final int BATCHES = 64;

  private static final int PRODUCED = 16; // cache lines apart
  private static final int CONSUMED = 48;

  private volatile boolean failed;
  private final AtomicLongArray counters = new AtomicLongArray(64);

  private final long size;

  ProducerConsumer(long size, int shorter) {
    super(THREADS, PIECES, BATCHES * BATCH, shorter);
    this.size = size;
  }

  @Override
  public int slots() {
    return RING * BATCH;
  }

  @Override
  @CompilerControl(CompilerControl.Mode.INLINE)
  public void work(Blocks blocks, int thread) {
    try {
      if (thread == 0) {
        produce(blocks);
      } else {
        consume(blocks);
      }
    } catch (RuntimeException | Error e) {
      failed = true;
      throw e;
    }
  }

  @CompilerControl(CompilerControl.Mode.INLINE)
  private void produce(Blocks blocks) {
    long at = counters.getPlain(PRODUCED);
    for (int i = 0; i < BATCHES; i++) {
      for (int spins = 1; at - counters.getAcquire(CONSUMED) == RING; spins++) {
        waitALittle(spins);
      }
      int first = (int) (at % RING) * BATCH;
      for (int k = 0; k < BATCH; k++) {
        blocks.put(first + k, size, i);
      }
      counters.setRelease(PRODUCED, ++at);
    }
  }

  @CompilerControl(CompilerControl.Mode.INLINE)
  private void consume(Blocks blocks) {
    long at = counters.getPlain(CONSUMED);
    for (int i = 0; i < BATCHES; i++) {
      for (int spins = 1; at == counters.getAcquire(PRODUCED); spins++) {
        waitALittle(spins);
      }
      int first = (int) (at % RING) * BATCH;
      for (int k = 0; k < BATCH; k++) {
        blocks.free(first + k);
      }
      counters.setRelease(CONSUMED, ++at);
    }
  }

  private void waitALittle(int spins) {
    if (spins % 256 == 0) {
      if (failed) {
        throw new IllegalStateException("the other thread failed");
      }
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }
}
