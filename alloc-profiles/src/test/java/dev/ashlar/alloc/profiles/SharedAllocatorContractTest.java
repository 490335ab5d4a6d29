// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.heap.AllocatorInvariants;
import dev.ashlar.alloc.testkit.MisuseContract;
import dev.ashlar.alloc.testkit.OpenAllocatorContract;
import org.junit.jupiter.api.Test;

/** The process-wide allocator keeps every promise, but that it can be closed. */
class SharedAllocatorContractTest extends OpenAllocatorContract implements MisuseContract {

  @Override
  protected Allocator newAllocator() {
    return Ashlar.shared();
  }

  @Override
  protected Allocator newOtherAllocator() {
    return Ashlar.builder().name("other").build();
  }

  @Override
  protected void checkInvariants(Allocator checked) {
    AllocatorInvariants.check(checked);
  }

  @Override
  protected void dispose(Allocator finished) {
    // It stays open as long as the process.
  }

  @Test
  void thereIsOne() {
    assertThat(Ashlar.shared()).isSameAs(Ashlar.shared());
  }

  @Test
  void itCannotBeClosed() {
    var block = Ashlar.shared().allocate(64);
    assertThatThrownBy(() -> Ashlar.shared().close())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(block.scope().isAlive()).isTrue();
    Ashlar.shared().free(block);
  }
}
