// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The binding of this machine is found, once. */
class SystemMemoryTest {

  @Test
  void thereIsOneBinding() {
    assertThat(VirtualMemory.system()).isNotNull().isSameAs(VirtualMemory.system());
  }

  @Test
  void aRefusalNamesTheCallTheRangeAndTheError() {
    VirtualMemoryException refusal = new VirtualMemoryException("mmap", 0x1000, 4_096, "ENOMEM");
    assertThat(refusal.errorName()).isEqualTo("ENOMEM");
    assertThat(refusal).hasMessage("mmap of 4096 bytes at 0x1000 failed: ENOMEM");
    assertThat(new VirtualMemoryException("mmap", 0, 4_096, "ENOMEM"))
        .hasMessage("mmap of 4096 bytes failed: ENOMEM");
  }
}
