// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.segment.Purge;
import dev.ashlar.alloc.segment.SpanAllocator;
import dev.ashlar.alloc.testkit.FakeClock;
import dev.ashlar.alloc.testkit.FaultyMemory;
import dev.ashlar.alloc.testkit.TestSeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * How many mappings the kernel has to keep for the segments: it refuses more than some tens of
 * thousands in a process. Faults that people reported in other allocators.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the mappings are read as Linux lists them")
class MappingsTest {

  private static final long DELAY = 1_000_000_000;

  private final FakeClock clock = new FakeClock();
  private final Allocator allocator =
      HeapAllocator.open(
          AllocatorOptions.defaults()
              .withMemory(new FaultyMemory(VirtualMemory.system(), clock))
              .withPurge(Purge.DEFAULT.withDelayNanos(DELAY).withBackground(false))
              .withChecks(false));
  private final RawAllocator raw = allocator.raw();

  @AfterEach
  void close() {
    allocator.close();
  }

  private void purge() {
    SpanAllocator spans = ((SegmentFace) allocator).engine().spans();
    clock.advance(DELAY);
    spans.purgeDue();
  }

  /** Counts the mappings of the process's segments. */
  private static long mappings() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/maps"));
    return lines.stream()
        .mapToLong(line -> Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16))
        .filter(ProcessSpace.MAP.space()::contains)
        .count();
  }

  // https://github.com/flowlog-rs/flowlog/pull/177
  @Test
  @DisplayName("purging every second slice of 2 GiB splits no mappings without bound")
  void mappingsAreNotSplitWithoutBound() throws IOException {
    long[] blocks = new long[32 << 10];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = raw.malloc(64 << 10);
    }
    long committed = allocator.stats().committedBytes();
    long before = mappings();
    for (int i = 0; i < blocks.length; i += 2) {
      raw.free(blocks[i]);
    }
    purge();
    assertThat(allocator.stats().committedBytes()).as("purged").isLessThan(committed * 6 / 10);
    assertThat(mappings()).isLessThanOrEqualTo(before + 64);
  }

  // https://github.com/jemalloc/jemalloc/issues/1328 ,
  // https://github.com/symmetryinvestments/symgc/issues/37
  @Test
  @DisplayName(
      "B22: rounds of random blocks with a purge after each make no more and more mappings")
  void roundsOfRandomBlocksMakeNoMoreMappings() throws IOException {
    SplittableRandom random = new SplittableRandom(TestSeed.choose("mappings"));
    long early = 0;
    for (int round = 1; round <= 10; round++) {
      long[] blocks = new long[2_000];
      for (int i = 0; i < 50_000; i++) {
        int k = random.nextInt(blocks.length);
        raw.free(blocks[k]);
        // From 8 bytes to 256 KiB, each doubling as likely as any other.
        blocks[k] = raw.malloc(random.nextLong(8, 8L << random.nextInt(1, 16)));
      }
      purge();
      if (round == 2) {
        early = mappings();
      }
      for (long block : blocks) {
        raw.free(block);
      }
      purge();
    }
    // The shape of what is in use is random; a mapping a purge would be hundreds a round.
    assertThat(mappings()).isLessThanOrEqualTo(2 * early + 64);
  }
}
