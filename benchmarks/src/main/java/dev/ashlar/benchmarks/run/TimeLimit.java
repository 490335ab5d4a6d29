// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** How long one measurement may take: when the time is over, its processes are ended. */
final class TimeLimit {

  /** Something that takes time, and starts processes that do. */
  interface Measurement {
    Figures run() throws MeasuringException;
  }

  /** A clock that calls back. */
  interface Alarm {

    /**
     * Calls an action after a time, and again and again until it is cancelled.
     *
     * @return what cancels it; the action is not running any more when it returns
     */
    Runnable set(int seconds, Runnable action);
  }

  private final int seconds;
  private final Alarm alarm;

  TimeLimit(int seconds, Alarm alarm) {
    this.seconds = seconds;
    this.alarm = alarm;
  }

  /**
   * Measures.
   *
   * @throws TooSlowException if the time was not enough; no process is left then
   * @throws MeasuringException if it failed otherwise
   */
  Figures run(Measurement measurement) throws MeasuringException {
    AtomicBoolean over = new AtomicBoolean();
    Runnable cancel =
        alarm.set(
            seconds,
            () -> {
              over.set(true);
              // JMH does not tell which one it has started.
              ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            });
    try {
      return measurement.run();
    } catch (MeasuringException e) {
      throw over.get() ? new TooSlowException(seconds, e) : e;
    } finally {
      cancel.run();
    }
  }

  /** An alarm by this machine's clock. */
  static Alarm byTheClock() {
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(
            action -> Thread.ofPlatform().daemon().name("time-limit").unstarted(action));
    return (seconds, action) -> {
      AtomicBoolean cancelled = new AtomicBoolean();
      Runnable guarded =
          () -> {
            synchronized (cancelled) {
              if (!cancelled.get()) {
                action.run();
              }
            }
          };
      Future<?> alarm = clock.scheduleAtFixedRate(guarded, seconds, 1, TimeUnit.SECONDS);
      return () -> {
        alarm.cancel(false);
        synchronized (cancelled) {
          cancelled.set(true);
        }
      };
    };
  }
}
