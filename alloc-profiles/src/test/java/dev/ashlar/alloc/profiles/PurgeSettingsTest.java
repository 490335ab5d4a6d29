// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.PurgeMode;
import dev.ashlar.alloc.segment.Purge;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a builder does with the settings of the purge. */
class PurgeSettingsTest {

  private static final long BYTES = 4 << 20;

  /** Returns how much less is committed after a block was freed that was in use. */
  private static long givenBack(AllocatorBuilder builder) {
    try (Allocator allocator = builder.build()) {
      long other = allocator.raw().malloc(BYTES);
      long block = allocator.raw().malloc(BYTES);
      long before = allocator.stats().committedBytes();
      allocator.raw().free(block);
      long after = allocator.stats().committedBytes();
      allocator.raw().free(other);
      return before - after;
    }
  }

  @Test
  void memoryGoesBackAtOnceWithADelayOfZero() {
    assertThat(givenBack(Ashlar.builder().purgeDelay(Duration.ZERO))).isEqualTo(BYTES);
  }

  @Test
  void memoryIsKeptForTheDelayAndForEverByChoice() {
    assertThat(givenBack(Ashlar.builder().purgeDelay(Duration.ofHours(1)))).isZero();
    assertThat(givenBack(Ashlar.builder().purgeDelay(Duration.ZERO).purge(PurgeMode.NEVER)))
        .isZero();
  }

  @Test
  void eachSettingIsHandedDownAndTheOthersStay() {
    AllocatorBuilder builder = Ashlar.builder();
    assertThat(builder.options().purge())
        .isEqualTo(new Purge(PurgeMode.DECOMMIT, 1_000_000_000, true));
    builder.backgroundPurge(false);
    builder.purge(PurgeMode.RESET);
    builder.purgeDelay(Duration.ofMillis(3));
    assertThat(builder.options().purge()).isEqualTo(new Purge(PurgeMode.RESET, 3_000_000, false));
  }

  @Test
  void aDelayOutOfRangeIsRefusedAndChangesNothing() {
    AllocatorBuilder builder = Ashlar.builder();
    assertThatThrownBy(() -> builder.purgeDelay(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("purgeDelay PT-1S is not in PT0S to PT24H");
    assertThatThrownBy(() -> builder.purgeDelay(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("is not in PT0S to PT24H");
    assertThatThrownBy(() -> builder.purge(null)).isInstanceOf(NullPointerException.class);
    assertThat(builder.options().purge()).isEqualTo(Purge.DEFAULT);
    assertThat(builder.purgeDelay(Duration.ofDays(1)).options().purge().delayNanos())
        .isEqualTo(86_400_000_000_000L);
  }
}
