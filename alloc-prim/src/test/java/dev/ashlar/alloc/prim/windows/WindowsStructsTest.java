// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** The structures are laid out as a compiler for 64-bit Windows does from the headers. */
class WindowsStructsTest {

  private static void assertOffset(StructLayout type, String field, long offset) {
    assertThat(WindowsStructs.offset(type, field)).as(field).isEqualTo(offset);
  }

  @Test
  void systemInfo() {
    StructLayout type = WindowsStructs.SYSTEM_INFO;
    assertThat(type.byteSize()).isEqualTo(48);
    assertOffset(type, "dwPageSize", 4);
    assertOffset(type, "lpMaximumApplicationAddress", 16);
    assertOffset(type, "dwNumberOfProcessors", 32);
    assertOffset(type, "dwAllocationGranularity", 40);
  }

  @Test
  void memoryStatus() {
    assertThat(WindowsStructs.MEMORYSTATUSEX.byteSize()).isEqualTo(64);
    assertOffset(WindowsStructs.MEMORYSTATUSEX, "ullTotalPhys", 8);
  }

  @Test
  void processMemoryCounters() {
    StructLayout type = WindowsStructs.PROCESS_MEMORY_COUNTERS;
    assertThat(type.byteSize()).isEqualTo(72);
    assertOffset(type, "PeakWorkingSetSize", 8);
    assertOffset(type, "WorkingSetSize", 16);
    assertOffset(type, "PagefileUsage", 56);
  }

  @Test
  void memoryBasicInformation() {
    StructLayout type = WindowsStructs.MEMORY_BASIC_INFORMATION;
    assertThat(type.byteSize()).isEqualTo(48);
    assertOffset(type, "AllocationProtect", 16);
    assertOffset(type, "RegionSize", 24);
    assertOffset(type, "Type", 40);
  }

  @Test
  void addressRequirements() {
    assertThat(WindowsStructs.MEM_ADDRESS_REQUIREMENTS.byteSize()).isEqualTo(24);
    assertOffset(WindowsStructs.MEM_ADDRESS_REQUIREMENTS, "Alignment", 16);
    assertThat(WindowsStructs.MEM_EXTENDED_PARAMETER.byteSize()).isEqualTo(16);
    assertOffset(WindowsStructs.MEM_EXTENDED_PARAMETER, "Pointer", 8);
  }

  @Test
  void jobLimits() {
    StructLayout type = WindowsStructs.JOBOBJECT_EXTENDED_LIMIT_INFORMATION;
    assertThat(type.byteSize()).isEqualTo(144);
    assertOffset(type, "LimitFlags", 16);
    assertOffset(type, "IoInfo", 64);
    assertOffset(type, "ProcessMemoryLimit", 112);
    assertOffset(type, "JobMemoryLimit", 120);
  }

  @Test
  void theLeastLimitOfAJobThatIsSetHolds() {
    StructLayout type = WindowsStructs.JOBOBJECT_EXTENDED_LIMIT_INFORMATION;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment job = arena.allocate(type);
      job.set(ValueLayout.JAVA_LONG, 112, 3_000L);
      job.set(ValueLayout.JAVA_LONG, 120, 2_000L);
      assertThat(WindowsStructs.jobLimit(job)).isEqualTo(Long.MAX_VALUE);
      job.set(ValueLayout.JAVA_INT, 16, 0x100);
      assertThat(WindowsStructs.jobLimit(job)).isEqualTo(3_000);
      job.set(ValueLayout.JAVA_INT, 16, 0x300);
      assertThat(WindowsStructs.jobLimit(job)).isEqualTo(2_000);
      job.set(ValueLayout.JAVA_LONG, 120, -1L);
      assertThat(WindowsStructs.jobLimit(job)).isEqualTo(3_000);
    }
  }

  @Test
  void constantsAreThoseOfTheHeaders() {
    assertThat(WindowsConstants.MEM_COMMIT).isEqualTo(0x0000_1000);
    assertThat(WindowsConstants.MEM_RESERVE).isEqualTo(0x0000_2000);
    assertThat(WindowsConstants.MEM_DECOMMIT).isEqualTo(0x0000_4000);
    assertThat(WindowsConstants.MEM_RELEASE).isEqualTo(0x0000_8000);
    assertThat(WindowsConstants.MEM_RESET).isEqualTo(0x0008_0000);
    assertThat(WindowsConstants.MEM_LARGE_PAGES).isEqualTo(0x2000_0000);
    assertThat(WindowsConstants.PAGE_NOACCESS).isEqualTo(0x01);
    assertThat(WindowsConstants.PAGE_READONLY).isEqualTo(0x02);
    assertThat(WindowsConstants.PAGE_READWRITE).isEqualTo(0x04);
  }

  @Test
  void errorsHaveTheirNames() {
    assertThat(WindowsConstants.errorName(8)).isEqualTo("ERROR_NOT_ENOUGH_MEMORY");
    assertThat(WindowsConstants.errorName(487)).isEqualTo("ERROR_INVALID_ADDRESS");
    assertThat(WindowsConstants.errorName(1314)).isEqualTo("ERROR_PRIVILEGE_NOT_HELD");
    assertThat(WindowsConstants.errorName(1455)).isEqualTo("ERROR_COMMITMENT_LIMIT");
    assertThat(WindowsConstants.errorName(12_345)).isEqualTo("error 12345");
  }

  @Test
  void theBindingFitsWindowsOnly() {
    assertThat(WindowsMemoryProvider.fits("Windows 11")).isTrue();
    assertThat(WindowsMemoryProvider.fits("Windows Server 2022")).isTrue();
    assertThat(WindowsMemoryProvider.fits("Linux")).isFalse();
    assertThat(WindowsMemoryProvider.fits("Mac OS X")).isFalse();
  }
}
