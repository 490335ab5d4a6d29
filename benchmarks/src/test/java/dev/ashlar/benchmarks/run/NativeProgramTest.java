// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NativeProgramTest {

  private static final int THREADS = 3;

  @TempDir private static Path folder;
  private static NativeProgram program;

  @BeforeAll
  static void compile() throws MeasuringException {
    assumeTrue(NativeProgram.whyAbsent().isEmpty(), "there is no gcc");
    program = new NativeProgram(Effort.QUICK, THREADS, folder);
    program.compile();
  }

  static Stream<String> timedWorkloads() {
    return Workloads.all().stream()
        .filter(spec -> spec.kind() == WorkloadSpec.Kind.TIMED)
        .filter(spec -> Arm.NATIVE_GLIBC.whyNot(spec).isEmpty())
        .map(WorkloadSpec::name);
  }

  @ParameterizedTest
  @MethodSource("timedWorkloads")
  void theCProgramDoesTheSameWork(String workload) throws MeasuringException {
    assertThat(count(workload))
        .isEqualTo(WorkCheck.run(WorkCheck.workload(workload, THREADS), new FakeAdapter()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100_000})
  void coldStartsAllocateTheSame(int blocks) throws MeasuringException {
    String workload = blocks == 1 ? Workloads.COLD_START_FIRST : Workloads.COLD_START_100K;
    WorkDone work = count(workload);
    assertThat(work.allocated()).isEqualTo(blocks);
    assertThat(work.allocatedBytes()).isEqualTo(48L * blocks);
    assertThat(work.freed()).isZero();
  }

  @Test
  void onlyVirtualThreadsAreMissingAndThatIsSaid() {
    assertThat(
            Workloads.all().stream().filter(spec -> Arm.NATIVE_TCMALLOC.whyNot(spec).isPresent()))
        .singleElement()
        .satisfies(
            spec ->
                assertThat(Arm.NATIVE_TCMALLOC.whyNot(spec)).hasValue("C has no virtual threads"));
  }

  private static WorkDone count(String workload) throws MeasuringException {
    return program.count(Workloads.named(workload).orElseThrow(), Map.of());
  }
}
