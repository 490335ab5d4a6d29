// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.segment.SizeClasses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MagazinesTest {

  private static final long CHUNKS = 1;

  private long slot;

  @BeforeEach
  void takeSlot() {
    slot = ProcessSpace.SLOTS.take(CHUNKS, HeapTable.CHUNK_BYTES);
    ProcessSpace.MEMORY.commit(slot, HeapTable.CHUNK_BYTES);
    Magazines.initialise(slot);
  }

  @AfterEach
  void giveSlot() {
    ProcessSpace.MEMORY.decommit(slot, HeapTable.CHUNK_BYTES);
    ProcessSpace.SLOTS.give(slot, CHUNKS);
  }

  @Test
  void eachSmallClassHoldsItsCapacityAndGivesTheNewestFirst() {
    for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
      int capacity = Magazines.capacity(c);
      for (int i = 0; i < capacity; i++) {
        assertThat(Magazines.push(slot, c, value(c, i))).isTrue();
      }
      assertThat(Magazines.push(slot, c, 1)).as("class %d is full", c).isFalse();
      assertThat(Magazines.count(slot, c)).isEqualTo(capacity);
    }
    // All rows are full at once, so rows or tops that overlapped would show here.
    for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
      for (int i = Magazines.capacity(c) - 1; i >= 0; i--) {
        assertThat(Magazines.pop(slot, c)).isEqualTo(value(c, i));
      }
      assertThat(Magazines.pop(slot, c)).as("class %d is empty", c).isZero();
    }
    assertThat(RawMemory.getLong(Magazines.ownerAddress(slot)))
        .as("the owner's word is untouched")
        .isZero();
  }

  private static long value(int sizeClass, int index) {
    return (long) sizeClass << 20 | index + 1;
  }

  @Test
  void topsOfSmallBlocksShareNoLowBitsWithPlacesInUse() {
    for (int c = 1; SizeClasses.bytes(c) <= 256; c++) {
      long top = Magazines.topAddress(slot, c) & 4095;
      for (int i = 0; i < Math.min(Magazines.capacity(c), Magazines.transfer(c) + 32); i++) {
        assertThat(Magazines.row(slot, c) + 8L * i & 4095)
            .as("class %d, place %d", c, i)
            .isNotEqualTo(top);
      }
    }
  }

  @Test
  void classesWithoutMagazineHaveNoRoom() {
    assertThat(Magazines.push(slot, SizeClasses.NONE, 1)).isFalse();
    for (int c = SizeClasses.LAST_SMALL + 1; c < SizeClasses.TABLE_LENGTH; c++) {
      assertThat(Magazines.push(slot, c, 1)).as("class %d", c).isFalse();
    }
  }

  @Test
  void theOldestAreTakenOut() {
    int c = SizeClasses.of(256);
    for (int i = 0; i < Magazines.capacity(c); i++) {
      Magazines.push(slot, c, value(c, i));
    }
    long[] oldest = new long[10];
    Magazines.takeOldest(slot, c, oldest, 10);
    for (int i = 0; i < 10; i++) {
      assertThat(oldest[i]).isEqualTo(value(c, i));
    }
    assertThat(Magazines.count(slot, c)).isEqualTo(Magazines.capacity(c) - 10);
    assertThat(Magazines.pop(slot, c)).isEqualTo(value(c, Magazines.capacity(c) - 1));
    for (int i = 0; i < 11; i++) {
      assertThat(Magazines.push(slot, c, 1)).isTrue();
    }
    assertThat(Magazines.push(slot, c, 1)).isFalse();
  }

  @Test
  void holdAtMost64KibAClassUnlessThatIsLessThanFourBlocks() {
    for (int c = 1; c <= SizeClasses.LAST_SMALL; c++) {
      long bytes = (long) Magazines.capacity(c) * SizeClasses.bytes(c);
      assertThat(bytes <= 64 << 10 || Magazines.capacity(c) == 4).as("class %d", c).isTrue();
      assertThat(Magazines.transfer(c)).isBetween(1, Magazines.capacity(c));
    }
  }

  @Test
  void aSlotEndsBehindItsLastRow() {
    long end = Magazines.row(0, SizeClasses.LAST_SMALL) + 1024;
    assertThat(end).isLessThanOrEqualTo(1L << Magazines.SLOT_SHIFT);
    assertThat(Magazines.topAddress(0, SizeClasses.TABLE_LENGTH))
        .isLessThanOrEqualTo(Magazines.row(0, 1));
  }
}
