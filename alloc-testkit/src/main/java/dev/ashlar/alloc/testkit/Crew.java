// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Threads that a test starts, waits for and takes the failures of. Waiting has no time limit: a
 * test that hangs is the build's to end, and nothing here depends on how fast a machine is.
 */
public final class Crew {

  private Crew() {}

  /** What one thread does; any throwable fails the test. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does the work of one thread.
     *
     * @param index which thread this is, from 0 on
     * @throws Throwable whatever went wrong
     */
    void run(int index) throws Throwable;
  }

  /**
   * Runs work in a new platform thread and waits for its end.
   *
   * @param work what to do
   * @throws AssertionError if the work threw, with that as its cause
   */
  public static void inAnotherThread(Work work) {
    together(1, Thread.ofPlatform().daemon(), work);
  }

  /**
   * Runs work in several new platform threads at once and waits for the end of all.
   *
   * @param threads how many threads
   * @param work what each does
   * @throws AssertionError if any threw, with the first such as its cause
   */
  public static void together(int threads, Work work) {
    together(threads, Thread.ofPlatform().daemon(), work);
  }

  /**
   * Runs work in several new virtual threads and waits for the end of all.
   *
   * @param threads how many threads
   * @param work what each does
   * @throws AssertionError if any threw, with the first such as its cause
   */
  public static void togetherVirtually(int threads, Work work) {
    together(threads, Thread.ofVirtual(), work);
  }

  private static void together(int threads, Thread.Builder kind, Work work) {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> crew = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int index = i;
      crew.add(
          kind.start(
              () -> {
                try {
                  start.await();
                  work.run(index);
                } catch (Throwable e) {
                  failures.add(e);
                }
              }));
    }
    start.countDown();
    for (Thread thread : crew) {
      join(thread);
    }
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError("in another thread: " + failures.peek());
      error.initCause(failures.poll());
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
