// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs steps in one other thread and waits for each, so that programs with two threads still have
 * one order. From time to time the thread ends and another takes its place.
 */
final class OtherThread implements Executor, AutoCloseable {

  private static final int STEPS_OF_A_THREAD = 200;

  private ExecutorService service;
  private int steps;

  @Override
  public void execute(Runnable step) {
    if (service == null) {
      service = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
    }
    Future<?> done = service.submit(step);
    try {
      done.get();
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted in a test", e);
    }
    if (++steps % STEPS_OF_A_THREAD == 0) {
      close();
    }
  }

  private static RuntimeException unchecked(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return (RuntimeException) cause;
  }

  @Override
  public void close() {
    if (service != null) {
      service.close();
      service = null;
    }
  }
}
