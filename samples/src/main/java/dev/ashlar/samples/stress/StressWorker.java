// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.api.Allocator;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One sequence of operations with the blocks it has. One thread at a time carries it on; when that
 * ends, another one may take over, blocks and all.
 */
final class StressWorker {

  /** How many operations a thread does at most when threads are to end at random moments. */
  private static final int LONGEST_LIFE = 20_000;

  /** After how many operations a virtual thread lets others on its carrier. */
  private static final int TURN = 64;

  private final int number;
  private final long lastStep;
  private final boolean mortal;
  private final StressMix mix;
  private final ExchangeSlots exchange;
  private final StepRandom random;
  private final CheckedBlocks blocks;
  private final HeldBlocks held;
  private final AtomicLong steps = new AtomicLong();

  /**
   * Makes a worker that has done nothing yet.
   *
   * @param number its number
   * @param settings the settings of the run
   * @param share how many bytes it may hold
   */
  StressWorker(
      int number,
      StressSettings settings,
      Allocator allocator,
      StressMix mix,
      ExchangeSlots exchange,
      long share) {
    this.number = number;
    this.lastStep = settings.operations() > 0 ? settings.operations() : Long.MAX_VALUE;
    this.mortal = settings.killThreads();
    this.mix = mix;
    this.exchange = exchange;
    this.random = new StepRandom(settings.seed(), number);
    this.blocks = new CheckedBlocks(allocator, number);
    this.held = new HeldBlocks(blocks, share);
  }

  int number() {
    return number;
  }

  CheckedBlocks blocks() {
    return blocks;
  }

  HeldBlocks held() {
    return held;
  }

  ExchangeSlots exchange() {
    return exchange;
  }

  /** Returns how many operations were done; for other threads it may be a little outdated. */
  long steps() {
    return steps.getOpaque();
  }

  /**
   * Goes on in the calling thread until the run stops or the thread is to end.
   *
   * @return true if another thread is to go on
   */
  boolean live(StressCrew crew) {
    long step = steps.getPlain();
    random.begin(-1 - step);
    long end = mortal ? Math.min(lastStep, step + 1 + random.nextSkewed(LONGEST_LIFE)) : lastStep;
    boolean virtual = Thread.currentThread().isVirtual();
    while (step < end && !crew.stopped()) {
      random.begin(step);
      mix.draw(random).run(this, random);
      steps.setOpaque(++step);
      if (virtual && step % TURN == 0) {
        Thread.yield();
      }
    }
    return step < lastStep && !crew.stopped();
  }
}
