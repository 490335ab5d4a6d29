// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TimeLimitTest {

  private static final Figures FIGURES =
      new Figures(List.of(1.0), null, Figures.ResidentMemory.NONE, null);

  /** Its time is over at once. */
  private static Runnable atOnce(int seconds, Runnable action) {
    AtomicBoolean cancelled = new AtomicBoolean();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  while (!cancelled.get()) {
                    action.run();
                    Thread.onSpinWait();
                  }
                });
    return () -> {
      cancelled.set(true);
      join(thread);
    };
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aProcessThatTakesTooLongIsEnded() {
    TimeLimit limit = new TimeLimit(7, TimeLimitTest::atOnce);
    assertThatThrownBy(
            () ->
                limit.run(
                    () -> {
                      Processes.run(List.of("sleep", "30"), Map.of());
                      return FIGURES;
                    }))
        .isInstanceOf(TooSlowException.class)
        .hasMessage("too slow: over 7 s");
    assertThat(ProcessHandle.current().descendants()).isEmpty();
  }

  @Test
  void whatIsReadyInTimeIsNotTouched() throws MeasuringException {
    AtomicBoolean cancelled = new AtomicBoolean();
    TimeLimit limit = new TimeLimit(7, (seconds, action) -> () -> cancelled.set(true));
    assertThat(limit.run(() -> FIGURES)).isSameAs(FIGURES);
    assertThat(cancelled).isTrue();
  }

  @Test
  void aFailureInTimeStaysAFailure() {
    MeasuringException failure = new MeasuringException("broken");
    TimeLimit limit = new TimeLimit(7, (seconds, action) -> () -> {});
    assertThatThrownBy(
            () ->
                limit.run(
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
  }
}
