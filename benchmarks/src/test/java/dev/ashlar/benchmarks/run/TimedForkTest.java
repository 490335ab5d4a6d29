// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.annotations.CompilerControl;

class TimedForkTest {

  private static final String CACHES = "-Dio.netty.allocator.useCacheForAllThreads=";

  private static WorkloadSpec workload(String name) {
    return Workloads.named(name).orElseThrow();
  }

  // Inlined into the stub of the measuring loop it ran a version of the workload to which the
  // allocator was no constant, which took twice as long.
  @Test
  void theMeasuredRunIsCompiledByItself() throws NoSuchMethodException {
    CompilerControl control =
        TimedBenchmark.class.getMethod("run").getAnnotation(CompilerControl.class);
    assertThat(control).isNotNull();
    assertThat(control.value()).isEqualTo(CompilerControl.Mode.DONT_INLINE);
  }

  @ParameterizedTest
  @EnumSource(
      value = Arm.class,
      names = {"NETTY_POOLED", "NETTY_ADAPTIVE"})
  void nettyMakesCachesForPlatformThreadsOnly(Arm arm) {
    List<String> platform = TimedFork.bestFlags(workload("larson"), arm);
    assertThat(platform).contains(CACHES + "true").doesNotContain(CACHES + "false");
    // Of two settings the JVM takes the later one.
    List<String> virtual = TimedFork.bestFlags(workload("virtual-threads"), arm);
    assertThat(virtual.lastIndexOf(CACHES + "false"))
        .isGreaterThan(virtual.lastIndexOf(CACHES + "true"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Arm.class,
      names = {"ASHLAR_.*"},
      mode = EnumSource.Mode.MATCH_ANY)
  void ashlarGetsNoFlags(Arm arm) {
    assertThat(TimedFork.bestFlags(workload("virtual-threads"), arm)).isEmpty();
  }
}
