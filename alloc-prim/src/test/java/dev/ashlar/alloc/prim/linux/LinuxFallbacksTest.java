// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import static dev.ashlar.alloc.prim.linux.LinuxConstants.MADV_HUGEPAGE;
import static dev.ashlar.alloc.prim.linux.LinuxConstants.MADV_POPULATE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.prim.Fallbacks;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What Linux does not give is done without, counted, and not asked for again and again. */
@EnabledOnOs(OS.LINUX)
class LinuxFallbacksTest {

  private static final long LARGE = 2L << 20;

  @TempDir private Path root;
  private final RecordedLinuxCalls calls = new RecordedLinuxCalls();
  private LinuxMemory memory;
  private long page;

  @BeforeEach
  void open() throws IOException {
    write("proc/meminfo", "MemTotal: 1024 kB\nHugepagesize:       2048 kB\n");
    memory = new LinuxMemory(calls, root);
    page = memory.osPageBytes();
  }

  private void write(String file, String contents) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, contents);
  }

  private long count(String call) {
    return calls.made.stream().filter(made -> made.startsWith(call)).count();
  }

  private void commitLarge(long times) {
    long address = memory.reserve(times * LARGE, LARGE, Access.NONE);
    for (long i = 0; i < times; i++) {
      memory.commitLarge(address + i * LARGE, LARGE);
      RawMemory.fill(address + i * LARGE, LARGE, (byte) 1);
    }
    memory.release(address, times * LARGE);
  }

  @Test
  void largePagesAreUsedWhileThereAreAny() {
    calls.largePagesLeft = 32;
    commitLarge(32);
    assertThat(count("mmap large")).isEqualTo(32);
    assertThat(memory.fallbacks()).isEqualTo(Fallbacks.NONE);
  }

  @Test
  void aMachineWithoutLargePagesIsAskedOnce() {
    commitLarge(32);
    assertThat(count("mmap large")).isEqualTo(1);
    assertThat(calls.made).contains("madvise" + List.of(LARGE, MADV_HUGEPAGE));
    assertThat(memory.fallbacks()).isEqualTo(new Fallbacks(32 * LARGE, 0));
  }

  @Test
  void largePagesMayRunOut() {
    calls.largePagesLeft = 2;
    commitLarge(32);
    assertThat(count("mmap large")).isEqualTo(3);
    assertThat(memory.fallbacks()).isEqualTo(new Fallbacks(30 * LARGE, 0));
  }

  @Test
  void aKernelWithoutLargePagesIsNotAskedForAny() throws IOException {
    write("proc/meminfo", "MemTotal: 1024 kB\n");
    assertThat(memory.largePageBytes()).isZero();
    commitLarge(1);
    assertThat(count("mmap large")).isZero();
    assertThat(count("madvise")).isZero();
    assertThat(memory.fallbacks()).isEqualTo(new Fallbacks(LARGE, 0));
  }

  @Test
  void refusedAdviceToMakePagesLargeIsNoFailure() {
    calls.refusedAdvice = MADV_HUGEPAGE;
    commitLarge(2);
    assertThat(memory.fallbacks()).isEqualTo(new Fallbacks(2 * LARGE, 0));
  }

  @Test
  void refusedNodesAreCounted() {
    long address = memory.reserve(page, page, Access.NONE);
    memory.commit(address, page);
    memory.preferNode(address, page, 3);
    assertThat(calls.made).contains("mbind" + List.of(page, 1, 8L));
    assertThat(memory.fallbacks()).isEqualTo(Fallbacks.NONE);
    calls.refusesNodes = true;
    memory.preferNode(address, page, 0);
    memory.preferNode(address, page, 0);
    assertThat(memory.fallbacks()).isEqualTo(new Fallbacks(0, 2));
    memory.release(address, page);
  }

  @Test
  void aKernelThatCannotPopulateBacksWhatIsTouched() {
    calls.refusedAdvice = MADV_POPULATE_WRITE;
    long address = memory.reserve(page, page, Access.NONE);
    memory.commit(address, page);
    memory.populate(address, page);
    RawMemory.putByte(address, (byte) 1);
    memory.release(address, page);
  }

  @Test
  void strictAccountingIsSeenAndMakesCommittingDear() throws IOException {
    assertThat(memory.capabilities().commitIsFree()).isTrue();
    write("proc/sys/vm/overcommit_memory", "1\n");
    assertThat(new LinuxMemory(calls, root).capabilities().commitIsFree()).isTrue();
    write("proc/sys/vm/overcommit_memory", "2\n");
    assertThat(new LinuxMemory(calls, root).capabilities().commitIsFree()).isFalse();
  }

  /** What a strict kernel counts is what is writable: a new mapping for reading is not. */
  @Test
  void underStrictAccountingDecommittingLeavesNothingWritable() throws IOException {
    write("proc/sys/vm/overcommit_memory", "2\n");
    LinuxMemory strict = new LinuxMemory(calls, root);
    long bytes = 64L << 20;
    long address = strict.reserve(2 * bytes, page, Access.NONE);
    KernelFiles files = new KernelFiles(Path.of("/"));
    strict.commit(address, bytes);
    RawMemory.putByte(address, (byte) 1);
    long committed = files.writableBytes();
    strict.decommit(address, bytes);
    assertThat(committed - files.writableBytes()).isGreaterThan(bytes / 2);
    assertThat(RawMemory.getByte(address)).isZero();

    strict.commit(address, bytes);
    RawMemory.putByte(address + 1, (byte) 2);
    strict.remap(address, address + bytes, bytes);
    assertThat(RawMemory.getByte(address + bytes + 1)).isEqualTo((byte) 2);
    assertThat(files.writableBytes() - committed).isLessThan(bytes / 2);
    strict.release(address, 2 * bytes);
  }
}
