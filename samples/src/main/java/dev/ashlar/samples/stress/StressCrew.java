// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.api.Allocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** The workers of a run and the threads that carry them on. */
final class StressCrew {

  /** How many bytes all workers hold together at most, in round figures. */
  private static final long HELD_BYTES = 512L << 20;

  private static final long LEAST_SHARE = 4L << 20;
  private static final int SLOTS_PER_WORKER = 64;

  private final boolean virtual;
  private final List<StressWorker> workers = new ArrayList<>();
  private final ExchangeSlots exchange;
  private final CountDownLatch running;
  private final AtomicLong threads = new AtomicLong();
  private final AtomicReference<StressFault> fault = new AtomicReference<>();
  private volatile boolean stopped;

  StressCrew(StressSettings settings, Allocator allocator) {
    this.virtual = settings.virtual();
    this.exchange = new ExchangeSlots(SLOTS_PER_WORKER * settings.threads());
    this.running = new CountDownLatch(settings.threads());
    StressMix mix = StressMix.ofAll();
    long share = Math.max(LEAST_SHARE, HELD_BYTES / settings.threads());
    for (int i = 0; i < settings.threads(); i++) {
      workers.add(new StressWorker(i, settings, allocator, mix, exchange, share));
    }
  }

  void start() {
    workers.forEach(this::startThread);
  }

  private void startThread(StressWorker worker) {
    threads.incrementAndGet();
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
    builder.name("stress-" + worker.number()).start(() -> live(worker));
  }

  private void live(StressWorker worker) {
    boolean another = false;
    try {
      another = worker.live(this);
      if (another) {
        startThread(worker);
      }
    } catch (Throwable e) { // whatever it is, the run must end and tell
      fail(worker, e);
      another = false;
    } finally {
      if (!another) {
        running.countDown();
      }
    }
  }

  private void fail(StressWorker worker, Throwable e) {
    String where = "worker " + worker.number() + ", operation " + worker.steps() + ": ";
    String what = e instanceof StressFault ? e.getMessage() : e.toString();
    fault.compareAndSet(null, new StressFault(where + what, e));
    stop();
  }

  boolean stopped() {
    return stopped;
  }

  void stop() {
    stopped = true;
  }

  /** Waits until all workers are done; false if that takes longer. */
  boolean await(long nanoseconds) throws InterruptedException {
    return running.await(nanoseconds, TimeUnit.NANOSECONDS);
  }

  /** Waits until all workers are done. */
  void await() throws InterruptedException {
    running.await();
  }

  /**
   * Says what went wrong.
   *
   * @throws StressFault if something did
   */
  void requireNoFault() {
    if (fault.get() != null) {
      throw fault.get();
    }
  }

  long operations() {
    return workers.stream().mapToLong(StressWorker::steps).sum();
  }

  /** Returns how many blocks were freed by others than their allocators; when all are done. */
  long remoteFrees() {
    return workers.stream().mapToLong(worker -> worker.blocks().remoteFrees()).sum();
  }

  long threads() {
    return threads.get();
  }

  /** Takes all blocks of all workers; when all are done. */
  List<StressBlock> takeAllBlocks() {
    List<StressBlock> all = exchange.takeAll();
    workers.forEach(worker -> all.addAll(worker.held().takeAll()));
    return all;
  }
}
