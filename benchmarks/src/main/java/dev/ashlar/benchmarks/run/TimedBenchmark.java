// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.adapters.Adapters;
import dev.ashlar.benchmarks.adapters.AllocatorAdapter;
import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.workloads.Workload;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The measured loop: workload and allocator are constants of the process. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TimedBenchmark {

  private static final Workload WORKLOAD =
      Workloads.timed(ForkSettings.workload(), ForkSettings.threads(), ForkSettings.shorter());
  private static final AllocatorAdapter ADAPTER = Adapters.create(ForkSettings.allocator());
  private static final Blocks BLOCKS = Blocks.over(ADAPTER, WORKLOAD.slots());

  /** Allocates what is alive before the first run. */
  @Setup
  public void fill() {
    BLOCKS.enterThread();
    WORKLOAD.fill(BLOCKS);
  }

  /**
   * Does one run. Not inlined into the measuring loop: the client compiler would do that, but would
   * leave the workload out, and it then runs in a version to which the allocator is no constant.
   */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void run() {
    WORKLOAD.run(BLOCKS, TimedBenchmark::work);
  }

  private static void work(int thread) {
    WORKLOAD.work(BLOCKS, thread);
  }

  /**
   * Frees everything and checks that the allocator did its work, which also must not happen before
   * measuring: it would blur what the compiler knows of the loops.
   *
   * @throws IOException if the counts cannot be written
   */
  @TearDown
  public void check() throws IOException {
    WORKLOAD.empty(BLOCKS);
    Workload fresh = WorkCheck.workload(ForkSettings.workload(), ForkSettings.threads());
    Files.writeString(Path.of(ForkSettings.witness()), WorkCheck.run(fresh, ADAPTER).line());
    BLOCKS.leaveThread();
  }
}
