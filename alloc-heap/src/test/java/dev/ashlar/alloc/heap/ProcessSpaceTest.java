// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.segment.SizeClasses;
import org.junit.jupiter.api.Test;

/** Where hot words lie: see the section of that name in docs/architecture.md. */
class ProcessSpaceTest {

  private static final long LINE = 64;
  private static final long LOW_BITS = 4095;

  /** How much of a page is its beginning, in bytes: what a small program uses over and over. */
  private static final long BEGINNING = 1024;

  private static long line(long address) {
    return (address & LOW_BITS) / LINE;
  }

  @Test
  void theFirstBlocksOfAPageAndTheirMarksShareNoCacheSet() {
    for (long slice = 0; slice < 64; slice++) {
      long page = ProcessSpace.BASE + (slice << 16);
      for (long block = page; block < page + BEGINNING; block += 16) {
        assertThat(line(ProcessSpace.MARKS + (block >>> 4)))
            .as("block %d bytes into slice %d", block - page, slice)
            .isNotEqualTo(line(block));
      }
    }
  }

  @Test
  void theWordsOfASlotShareNoCacheSetWithTheFirstMarksOfAPage() {
    long marks = ProcessSpace.MARKS + (ProcessSpace.BASE >>> 4);
    long slot = ProcessSpace.SLOT_BASE;
    for (long mark = marks; mark < marks + BEGINNING / 16; mark++) {
      assertThat(line(mark)).isNotEqualTo(line(Magazines.ownerAddress(slot)));
      for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
        assertThat(line(mark)).as("class %d", c).isNotEqualTo(line(Magazines.topAddress(slot, c)));
      }
      for (long slice = 0; slice < 512; slice++) {
        assertThat(line(mark)).isNotEqualTo(line(ProcessSpace.CLASSES + slice));
      }
    }
  }
}
