// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordTableTest {

  private static final int WORDS = 64;

  private final IndexSize size = new IndexSize(WORDS, 1, 1);
  private final BlockStore store = AllocatorArm.ASHLAR_RAW.open(size.slots());
  private final WordTable table = new WordTable(new Blocks(store, size.slots()), size);

  @AfterEach
  void close() {
    store.close();
  }

  /**
   * Few hashes make long runs of places, in which words are cut off when a gap is closed wrongly.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 100, 1_000_000})
  void agreesWithAMapHoweverManyHashesCollide(int hashes) {
    Random random = new Random(hashes);
    Map<String, Integer> model = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String word = "word" + random.nextInt(100);
      // Hashes that differ in the low half only are told apart by the words.
      long hash = (long) (word.hashCode() % hashes) << 32 | word.hashCode() & 3;
      byte[] bytes = word.getBytes(UTF_8);
      int entry = table.find(hash, bytes, 0, bytes.length);
      assertThat(entry).isEqualTo(model.getOrDefault(word, WordTable.ABSENT));
      if (entry != WordTable.ABSENT) {
        assertThat(table.word(entry)).isEqualTo(bytes);
        table.remove(entry);
        model.remove(word);
      } else if (model.size() < WORDS) {
        model.put(word, table.add(hash, bytes, 0, bytes.length));
      }
      assertThat(table.size()).isEqualTo(model.size());
    }
    assertThat(table.allEntries())
        .containsExactlyInAnyOrder(model.values().stream().mapToInt(e -> e).toArray());
  }

  @Test
  void tellsAWordFromItsBeginning() {
    byte[] text = "abcd".getBytes(UTF_8);
    int entry = table.add(1L << 32, text, 0, 4);

    assertThat(table.find(1L << 32, text, 0, 3)).isEqualTo(WordTable.ABSENT);
    assertThat(table.find(1L << 32, text, 0, 4)).isEqualTo(entry);
  }

  @Test
  void refusesMoreWordsThanItWasMadeFor() {
    for (int i = 0; i < WORDS; i++) {
      byte[] word = {(byte) i};
      table.add(i, word, 0, 1);
    }

    assertThatThrownBy(() -> table.add(99, new byte[] {99}, 0, 1))
        .isInstanceOf(IllegalStateException.class);
  }
}
