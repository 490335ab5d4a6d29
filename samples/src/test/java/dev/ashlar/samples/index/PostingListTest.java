// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PostingListTest {

  private static final int SLOT = 0;

  @ParameterizedTest
  @EnumSource
  void agreesWithAQueueWhileItGrowsAndShrinks(AllocatorArm arm) {
    Random random = new Random(5);
    Deque<Integer> model = new ArrayDeque<>();
    int next = 0;
    try (BlockStore store = arm.open(1)) {
      Blocks blocks = new Blocks(store, 1);
      for (int phase = 0; phase < 60; phase++) {
        int appended = random.nextInt(300);
        for (int i = 0; i < appended; i++) {
          PostingList.append(blocks, SLOT, next, next + 1000);
          model.add(next++);
        }
        check(blocks, model);
        int removed = random.nextInt(model.size() + 1);
        for (int i = 0; i < removed; i++) {
          int document = model.remove();
          assertThat(PostingList.removeOldest(blocks, SLOT, document)).isEqualTo(document + 1000);
        }
        check(blocks, model);
      }
      while (!model.isEmpty()) {
        PostingList.removeOldest(blocks, SLOT, model.remove());
      }
      check(blocks, model);
    }
  }

  private static void check(Blocks blocks, Deque<Integer> model) {
    long list = blocks.address(SLOT);
    if (model.isEmpty()) {
      assertThat(list).isZero();
      assertThat(blocks.usage().liveBlocks()).isZero();
      assertThat(blocks.usage().liveBytes()).isZero();
      return;
    }
    assertThat(PostingList.size(list)).isEqualTo(model.size());
    int index = 0;
    for (int document : model) {
      assertThat(PostingList.document(list, index)).isEqualTo(document);
      assertThat(PostingList.positionsSlot(list, index)).isEqualTo(document + 1000);
      index++;
    }
    // A list that is less than half used is shrunk.
    assertThat(blocks.usage().liveBytes()).isLessThanOrEqualTo(60 + 8L * 5 * model.size() / 2);
  }
}
