// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.testkit.RawBytes;
import org.junit.jupiter.api.Test;

class AshlarTest {

  @Test
  void theExamplesRun() {
    long before = Ashlar.shared().stats().liveBlocks();
    assertThatCode(AshlarSnippets::firstUse).doesNotThrowAnyException();
    assertThat(Ashlar.shared().stats().liveBlocks()).isEqualTo(before);
  }

  @Test
  void theSharedAllocatorIsOneAndCannotBeClosed() {
    assertThat(Ashlar.shared()).isSameAs(Ashlar.shared());
    assertThatThrownBy(() -> Ashlar.shared().close())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("'shared'");
    long block = Ashlar.shared().raw().malloc(10);
    Ashlar.shared().raw().free(block);
  }

  @Test
  void builtAllocatorsShareNothing() {
    try (Allocator one = Ashlar.builder().name("one").build();
        Allocator other = Ashlar.builder().name("other").build()) {
      long block = one.raw().malloc(64);
      assertThat(other.raw().owns(block)).isFalse();
      assertThat(other.stats().liveBlocks()).isZero();
      assertThatThrownBy(() -> other.raw().free(block))
          .isInstanceOfSatisfying(
              MemoryMisuseException.class,
              e -> assertThat(e.kind()).isEqualTo(MemoryMisuseException.Kind.FOREIGN));
      one.raw().free(block);
    }
  }

  @Test
  void aBuilderBuildsSeveralAndItsChecksCanBeTurnedOff() {
    AllocatorBuilder builder = Ashlar.builder().name("twins").checks(false);
    try (Allocator one = builder.build();
        Allocator other = builder.build()) {
      assertThat(one).isNotSameAs(other).hasToString("Allocator[twins]");
      long block = one.raw().malloc(64);
      one.raw().free(block);
      // Nobody checks: the block is in the magazine twice and would be given out twice.
      assertThatCode(() -> one.raw().free(block)).doesNotThrowAnyException();
      assertThat(one.raw().malloc(64)).isEqualTo(one.raw().malloc(64));
    }
    assertThatThrownBy(() -> Ashlar.builder().name(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name ' '");
  }

  @Test
  void theEnvironmentIsWhatThisMachineIs() {
    Environment environment = Ashlar.environment();
    assertThat(environment.operatingSystem()).isEqualTo(System.getProperty("os.name"));
    assertThat(Long.bitCount(environment.osPageBytes())).isEqualTo(1);
    assertThat(environment.physicalMemoryBytes()).isGreaterThan(1 << 28);
    assertThat(Long.bitCount(environment.reservedBytes())).isEqualTo(1);
    assertThat(environment.segmentBytes() % environment.sliceBytes()).isZero();
    assertThat(environment.version()).isNotBlank();
  }

  @Test
  void processMemoryFollowsWhatIsTouchedAndGivenBack() {
    long bytes = 256 << 20;
    ProcessMemory before = Ashlar.processMemory();
    try (Allocator allocator = Ashlar.builder().build()) {
      long block = allocator.raw().malloc(bytes);
      RawBytes.fill(block, bytes, (byte) 1);
      ProcessMemory during = Ashlar.processMemory();
      assertThat(during.residentBytes() - before.residentBytes())
          .isBetween(bytes * 9 / 10, bytes * 12 / 10);
      assertThat(during.peakResidentBytes()).isGreaterThanOrEqualTo(bytes);
      assertThat(allocator.stats().committedBytes()).isGreaterThanOrEqualTo(bytes);
      allocator.raw().free(block);
    }
    assertThat(Ashlar.processMemory().residentBytes() - before.residentBytes())
        .isLessThan(bytes / 4);
  }
}
