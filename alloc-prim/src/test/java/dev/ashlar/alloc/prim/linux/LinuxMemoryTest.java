// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What of Linux's binding the contract of all bindings does not cover: names, mappings, limits. */
@EnabledOnOs(OS.LINUX)
class LinuxMemoryTest {

  private static final long MIB = 1L << 20;

  private final LinuxMemory memory = new LinuxMemory(new NativeLinuxCalls(), Path.of("/"));
  private final long page = memory.osPageBytes();

  @Test
  void errorNumbersHaveTheirNames() {
    assertThat(LinuxConstants.errorName(1)).isEqualTo("EPERM");
    assertThat(LinuxConstants.errorName(4)).isEqualTo("EINTR");
    assertThat(LinuxConstants.errorName(11)).isEqualTo("EAGAIN");
    assertThat(LinuxConstants.errorName(12)).isEqualTo("ENOMEM");
    assertThat(LinuxConstants.errorName(13)).isEqualTo("EACCES");
    assertThat(LinuxConstants.errorName(22)).isEqualTo("EINVAL");
    assertThat(LinuxConstants.errorName(38)).isEqualTo("ENOSYS");
    assertThat(LinuxConstants.errorName(39)).isEqualTo("errno 39");
    assertThat(LinuxConstants.errorName(-1)).isEqualTo("errno -1");
  }

  @Test
  void aReservationThatIsTooLargeIsOutOfMemory() {
    assertRefused("mmap", "ENOMEM", () -> memory.reserve(1L << 60, page, Access.NONE));
  }

  @Test
  void aRangeThatNothingIsMappedAtIsOutOfMemory() {
    // The kernel never maps the first pages.
    assertRefused("mprotect", "ENOMEM", () -> memory.commit(page, page));
    assertRefused("mprotect", "ENOMEM", () -> memory.protect(page, page, Access.READ));
    assertRefused("madvise", "ENOMEM", () -> memory.decommit(page, page));
  }

  @Test
  void aNumberThatTheSystemDoesNotKnowIsInvalid() {
    assertRefused("sysconf(-1)", "EINVAL", () -> new NativeLinuxCalls().sysconf(-1));
  }

  /** A range that was committed in parts of different access is of two mappings. */
  @Test
  void aRefusedRemappingLeavesBothRangesAsTheyWere() {
    long address = memory.reserve(4 * page, page, Access.NONE);
    memory.commit(address, page);
    RawMemory.putByte(address, (byte) 7);
    assertRefused(
        "mremap", "EFAULT", () -> memory.remap(address + 16 * MIB * MIB, address + page, page));
    assertThat(RawMemory.getByte(address)).isEqualTo((byte) 7);
    memory.commit(address + page, page);
    assertThat(RawMemory.getByte(address + page)).isZero();
    memory.release(address, 4 * page);
  }

  /** What an aligned reservation is cut out of does not stay mapped. */
  @Test
  void anAlignedReservationLeavesNothingElseMapped() throws IOException {
    long before = addressSpaceBytes();
    long[] ranges = new long[32];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = memory.reserve(MIB, 1024 * MIB, Access.NONE);
      assertThat(ranges[i] % (1024 * MIB)).isZero();
    }
    // 32 GiB and more were mapped in between; threads of the JVM may map some on their own.
    assertThat(addressSpaceBytes() - before).isBetween(32 * MIB, 2048 * MIB);
    for (long range : ranges) {
      memory.release(range, MIB);
    }
  }

  @Test
  void residentMemoryRisesWhenMemoryIsTouched() {
    long bytes = 64 * MIB;
    long address = memory.reserve(bytes, page, Access.NONE);
    memory.commit(address, bytes);
    long before = memory.processMemory().residentBytes();
    for (long at = 0; at < bytes; at += page) {
      RawMemory.putByte(address + at, (byte) 1);
    }
    long touched = memory.processMemory().residentBytes();
    memory.release(address, bytes);
    long after = memory.processMemory().residentBytes();
    assertThat(touched - before).isBetween(bytes / 2, 2 * bytes);
    assertThat(touched - after).isBetween(bytes / 2, 2 * bytes);
  }

  @Test
  void entropyDoesNotRepeat() {
    Set<ByteBuffer> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      byte[] bytes = new byte[16];
      memory.entropy().fill(bytes);
      assertThat(seen.add(ByteBuffer.wrap(bytes))).isTrue();
    }
  }

  /** The kernel hands out long requests in several parts when a signal comes in between. */
  @Test
  void entropyFillsLongArraysToTheirEnd() {
    byte[] bytes = new byte[1 << 20];
    memory.entropy().fill(bytes);
    int[] counts = new int[256];
    for (byte b : bytes) {
      counts[b & 0xFF]++;
    }
    // 4,096 of each are expected; a deviation by half would be by 32 standard deviations.
    assertThat(IntStream.of(counts)).allMatch(count -> count > 2_048 && count < 6_144);
  }

  private static void assertRefused(String call, String error, ThrowingCallable code) {
    VirtualMemoryException refusal = catchThrowableOfType(VirtualMemoryException.class, code);
    assertThat(refusal).as(call).isNotNull();
    assertThat(refusal.errorName()).isEqualTo(error);
    assertThat(refusal).hasMessageStartingWith(call);
  }

  /** Returns the size of everything that is mapped. */
  private static long addressSpaceBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmSize:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new AssertionError("no VmSize in /proc/self/status");
  }
}
