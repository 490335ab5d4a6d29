// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockStoreTest {

  private static final int SLOTS = 64;

  @ParameterizedTest
  @EnumSource
  void keepsWhatIsInItsBlocks(AllocatorArm arm) {
    Random random = new Random(3);
    long[] addresses = new long[SLOTS];
    int[] ints = new int[SLOTS];
    try (BlockStore store = arm.open(SLOTS)) {
      for (int i = 0; i < 20_000; i++) {
        int slot = random.nextInt(SLOTS);
        int newInts = 1 + random.nextInt(random.nextInt(20) == 0 ? 60_000 : 100);
        if (addresses[slot] == 0) {
          addresses[slot] = store.allocate(slot, 4L * newInts);
          ints[slot] = newInts;
          mark(addresses[slot], 0, newInts, slot);
          continue;
        }
        check(addresses[slot], ints[slot], slot);
        if (random.nextBoolean()) {
          store.free(slot, addresses[slot]);
          addresses[slot] = 0;
        } else {
          addresses[slot] = store.reallocate(slot, addresses[slot], 4L * ints[slot], 4L * newInts);
          check(addresses[slot], Math.min(ints[slot], newInts), slot);
          mark(addresses[slot], Math.min(ints[slot], newInts), newInts, slot);
          ints[slot] = newInts;
        }
      }
      for (int slot = 0; slot < SLOTS; slot++) {
        if (addresses[slot] != 0) {
          check(addresses[slot], ints[slot], slot);
          store.free(slot, addresses[slot]);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void isFoundByItsName(AllocatorArm arm) {
    assertThat(AllocatorArm.named(arm.label())).contains(arm);
    assertThat(AllocatorArm.labels()).contains(arm.label());
  }

  private static void mark(long address, int from, int to, int slot) {
    for (int i = from; i < to; i++) {
      OffHeap.putInt(address + 4L * i, value(slot, i));
    }
  }

  private static void check(long address, int count, int slot) {
    for (int i = 0; i < count; i++) {
      if (OffHeap.getInt(address + 4L * i) != value(slot, i)) {
        throw new AssertionError("int " + i + " of the block in slot " + slot + " has changed");
      }
    }
  }

  private static int value(int slot, int index) {
    return slot * 1_000_003 + index;
  }
}
