// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ashlar.benchmarks.adapters.Adapters;
import dev.ashlar.benchmarks.adapters.NullAdapter;
import dev.ashlar.benchmarks.blocks.CheckFailure;
import dev.ashlar.benchmarks.blocks.WorkCount;
import dev.ashlar.benchmarks.blocks.WorkDone;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkCheckTest {

  static Stream<String> timedWorkloads() {
    return Workloads.all().stream()
        .filter(spec -> spec.kind() == WorkloadSpec.Kind.TIMED)
        .map(WorkloadSpec::name);
  }

  @ParameterizedTest
  @MethodSource("timedWorkloads")
  void ashlarDoesTheSameWorkAsAnHonestAllocator(String workload) {
    WorkDone honest = WorkCheck.run(WorkCheck.workload(workload, 2), new FakeAdapter());
    WorkDone ashlar = WorkCheck.run(WorkCheck.workload(workload, 2), Adapters.create("ashlar-raw"));
    assertThat(ashlar).isEqualTo(honest);
    assertThat(ashlar.allocated()).isPositive().isEqualTo(ashlar.freed());
    assertThat(WorkDone.parse(ashlar.line())).isEqualTo(ashlar);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ashlar-raw-unchecked",
        "ashlar-heap",
        "ashlar-segment",
        "ashlar-arena",
        "jdk-confined",
        "malloc-ffm"
      })
  void otherAdaptersDoToo(String adapter) {
    for (String workload : new String[] {"pingpong", "churn-1024-mixed", "batch-fifo", "request"}) {
      assertThat(WorkCheck.run(WorkCheck.workload(workload, 2), Adapters.create(adapter)))
          .isEqualTo(WorkCheck.run(WorkCheck.workload(workload, 2), new FakeAdapter()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pingpong", "batch-lifo", "request"})
  void marksThatAreResetDoTheSameWork(String workload) {
    assertThat(WorkCheck.run(WorkCheck.workload(workload, 2), Adapters.create("ashlar-scoped")))
        .isEqualTo(WorkCheck.run(WorkCheck.workload(workload, 2), new FakeAdapter()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"churn-1024-64", "batch-lifo", "larson", "producer-consumer", "mstress"})
  void anAllocatorThatGivesOneBlockToAllIsCaught(String workload) {
    long[] block = new long[1024];
    FakeAdapter cheat =
        new FakeAdapter() {
          @Override
          public long[] allocate(long size) {
            return block;
          }
        };
    assertThatThrownBy(() -> WorkCheck.run(WorkCheck.workload(workload, 2), cheat))
        .isInstanceOf(CheckFailure.class);
  }

  @Test
  void anAllocatorThatForgetsWhatIsWrittenIsCaught() {
    FakeAdapter cheat =
        new FakeAdapter() {
          @Override
          public void putLong(long[] block, long offset, long value) {}
        };
    assertThatThrownBy(() -> WorkCheck.run(WorkCheck.workload("pingpong", 1), cheat))
        .isInstanceOf(CheckFailure.class);
  }

  @Test
  void anAllocatorThatDoesNotCopyWhenItMovesIsCaught() {
    FakeAdapter cheat =
        new FakeAdapter() {
          @Override
          public long[] reallocate(long[] block, long newSize) {
            long[] moved = allocate(newSize);
            System.arraycopy(block, 0, moved, 0, 2); // only the stamp
            return moved;
          }
        };
    assertThatThrownBy(() -> WorkCheck.run(WorkCheck.workload("realloc-append", 1), cheat))
        .isInstanceOf(CheckFailure.class)
        .hasMessageContaining("lost its end");
  }

  @ParameterizedTest
  @MethodSource("timedWorkloads")
  void whereThereIsNoAllocatorTheWorkIsCountedAllTheSame(String workload) {
    WorkloadSpec spec = Workloads.named(workload).orElseThrow();
    assumeTrue(Arm.NULL.whyNot(spec).isEmpty());
    assertThat(WorkCheck.run(WorkCheck.workload(workload, 2), new NullAdapter()))
        .isEqualTo(WorkCheck.run(WorkCheck.workload(workload, 2), new FakeAdapter()));
  }

  @Test
  void otherSizesOfTheSameSumAreOtherWork() {
    WorkCount one = new WorkCount();
    one.allocate(16);
    one.allocate(64);
    WorkCount other = new WorkCount();
    other.allocate(32);
    other.allocate(48);
    assertThat(one.done().allocatedBytes()).isEqualTo(other.done().allocatedBytes());
    assertThat(one.done()).isNotEqualTo(other.done());
  }

  @Test
  void workDoesNotDependOnTheOrder() {
    WorkCount one = new WorkCount();
    one.allocate(16);
    one.free(16);
    WorkCount first = new WorkCount();
    first.free(16);
    WorkCount second = new WorkCount();
    second.allocate(16);
    first.add(second);
    assertThat(first.done()).isEqualTo(one.done());
  }

  @Test
  void namesOfArmsAreTheirs() {
    assertThat(Arrays.stream(Arm.values()).map(Arm::label))
        .doesNotHaveDuplicates()
        .contains("null", "ashlar-raw-again", "native-tcmalloc");
  }
}
