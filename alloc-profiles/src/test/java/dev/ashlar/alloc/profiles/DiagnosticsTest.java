// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.testkit.RawBytes;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class DiagnosticsTest {

  @Test
  void aSoundAllocatorPasses() {
    try (Allocator allocator = Ashlar.builder().build()) {
      allocator.allocate(100);
      allocator.free(allocator.allocate(1 << 20));
      Diagnostics.check(allocator);
    }
  }

  @Test
  void aDoubleFreeWithoutChecksIsFound() {
    try (Allocator allocator = Ashlar.builder().checks(false).build()) {
      RawAllocator raw = allocator.raw();
      long block = raw.malloc(48);
      RawBytes.putLong(block, 1);
      raw.free(block);
      raw.free(block);

      assertThatThrownBy(() -> Diagnostics.check(allocator))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("0x" + Long.toHexString(block));
    }
  }

  @Test
  void aClosedAllocatorIsRefused() {
    Allocator allocator = Ashlar.builder().name("gone").build();
    allocator.close();

    assertThatThrownBy(() -> Diagnostics.check(allocator))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'gone'");
  }

  @Test
  void anotherLibrarysAllocatorIsRefused() {
    Allocator other =
        (Allocator)
            Proxy.newProxyInstance(
                Allocator.class.getClassLoader(),
                new Class<?>[] {Allocator.class},
                (proxy, method, arguments) -> "another one");

    assertThatThrownBy(() -> Diagnostics.check(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another one");
  }
}
