// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.heap.AllocatorInvariants;
import dev.ashlar.alloc.testkit.AllocatorContract;
import org.junit.jupiter.api.Test;

/** What the builder builds keeps every promise. */
class BuiltAllocatorContractTest extends AllocatorContract {

  @Override
  protected Allocator newAllocator() {
    return Ashlar.builder().name("built").build();
  }

  @Override
  protected void checkInvariants(Allocator checked) {
    AllocatorInvariants.check(checked);
  }

  @Test
  void eachBuildOpensAnother() {
    AllocatorBuilder builder = Ashlar.builder().name("one of two");
    try (Allocator first = builder.build();
        Allocator second = builder.build()) {
      assertThat(first).isNotSameAs(second);
      var block = first.allocate(100);
      assertThat(second.owns(block)).isFalse();
      assertThat(second.stats().liveBlocks()).isZero();
      first.free(block);
    }
  }

  @Test
  void aBlankNameIsRefused() {
    assertThatThrownBy(() -> Ashlar.builder().name(" "))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
