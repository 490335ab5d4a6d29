// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several programs at the same time on one allocator, each with a model of its own; they pass
 * blocks to one another to be freed. The steps of each come from the seed, their interleaving does
 * not.
 */
public final class ConcurrentPrograms {

  private ConcurrentPrograms() {}

  /**
   * Runs programs in as many threads, and then frees everything that they left.
   *
   * @param allocator what to run them on; no other thread may be inside
   * @param seed where the drawing begins
   * @param threads how many programs
   * @param operations how many steps each has
   * @param options how to run them, made {@link ProgramOptions#besideOthers()} here
   * @throws AssertionError if an outcome is not that of the models, or the counters are not as
   *     before
   */
  public static void run(
      Allocator allocator, long seed, int threads, long operations, ProgramOptions options) {
    LiveCounters before = LiveCounters.of(allocator);
    ProgramOptions shared = options.besideOthers();
    List<Queue<Runnable>> inboxes = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      inboxes.add(new ConcurrentLinkedQueue<>());
    }
    AtomicInteger working = new AtomicInteger(threads);
    Crew.together(
        threads,
        index -> {
          long own = seed + 0x632BE59BD9B4E019L * index;
          Queue<Runnable> inbox = inboxes.get(index);
          Queue<Runnable> neighbour = inboxes.get((index + 1) % threads);
          ProgramRunner runner = new ProgramRunner(allocator, shared, neighbour::add, own);
          OperationGenerator generator = new OperationGenerator(own, shared);
          try {
            for (long i = 0; i < operations; i++) {
              Operation operation = generator.next();
              try {
                runner.run(operation);
              } catch (Throwable e) {
                throw new AssertionError(
                    "step %d of thread %d of seed %d, %s: %s"
                        .formatted(i, index, seed, operation, e),
                    e);
              }
              drain(inbox);
            }
            runner.finish();
          } finally {
            working.decrementAndGet();
          }
          while (working.get() > 0) {
            drain(inbox);
            Thread.onSpinWait();
          }
          drain(inbox);
        });
    LiveCounters after = LiveCounters.of(allocator);
    if (!after.equals(before)) {
      throw new AssertionError("counters were " + before + " and are " + after + ", seed " + seed);
    }
  }

  private static void drain(Queue<Runnable> inbox) {
    for (Runnable free = inbox.poll(); free != null; free = inbox.poll()) {
      free.run();
    }
  }
}
