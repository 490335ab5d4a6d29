// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.samples.text.Corpus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InvertedIndexTest {

  private static final int DOCUMENTS = 120;

  @ParameterizedTest
  @EnumSource
  void agreesWithMapsWhileTheWindowSlides(AllocatorArm arm) {
    for (int window : new int[] {1, 2, 7, 50, DOCUMENTS}) {
      GeneratedDocuments generated = GeneratedDocuments.of(window, DOCUMENTS);
      Corpus corpus = generated.corpus();
      IndexSize size = IndexSize.of(corpus, window);
      Model model = new Model();
      try (BlockStore store = arm.open(size.slots())) {
        InvertedIndex index = new InvertedIndex(store, size);
        for (int document = 0; document < DOCUMENTS; document++) {
          if (document >= window) {
            index.remove(document - window);
            model.remove(document - window);
          }
          index.add(corpus, document);
          model.add(document, generated.documents().get(document));
          assertThat(contents(index)).isEqualTo(model.words);
          assertThat(index.words()).isEqualTo(model.words.size());
          assertThat(index.usage().liveBlocks())
              .isEqualTo(model.blocks() + Math.min(window, document + 1));
        }
        for (int document = DOCUMENTS - window; document < DOCUMENTS; document++) {
          index.remove(document);
        }
        assertThat(contents(index)).isEmpty();
        assertThat(index.usage().liveBlocks()).isZero();
        assertThat(index.usage().liveBytes()).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void countsTheDocumentsWithAWord(AllocatorArm arm) {
    GeneratedDocuments generated =
        new GeneratedDocuments(List.of(List.of("a", "b"), List.of("b", "b"), List.of("c")));
    Corpus corpus = generated.corpus();
    IndexSize size = IndexSize.of(corpus, 3);
    try (BlockStore store = arm.open(size.slots())) {
      InvertedIndex index = new InvertedIndex(store, size);
      for (int document = 0; document < 3; document++) {
        index.add(corpus, document);
      }
      assertThat(index.documentsWith("b".getBytes(UTF_8))).isEqualTo(2);
      assertThat(index.documentsWith("c".getBytes(UTF_8))).isEqualTo(1);
      assertThat(index.documentsWith("d".getBytes(UTF_8))).isZero();

      index.remove(0);

      assertThat(index.documentsWith("a".getBytes(UTF_8))).isZero();
      assertThat(index.documentsWith("b".getBytes(UTF_8))).isEqualTo(1);
      index.remove(1);
      index.remove(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesToRemoveADocumentOutOfOrder(AllocatorArm arm) {
    Corpus corpus = new GeneratedDocuments(List.of(List.of("a"), List.of("a"))).corpus();
    IndexSize size = IndexSize.of(corpus, 2);
    try (BlockStore store = arm.open(size.slots())) {
      InvertedIndex index = new InvertedIndex(store, size);
      index.add(corpus, 0);
      index.add(corpus, 1);

      assertThatThrownBy(() -> index.remove(1)).isInstanceOf(IllegalStateException.class);

      index.remove(0);
      index.remove(1);
    }
  }

  private static Map<String, Map<Integer, List<Integer>>> contents(InvertedIndex index) {
    Map<String, Map<Integer, List<Integer>>> contents = new TreeMap<>();
    List<byte[]> order = new ArrayList<>();
    index.forEach(
        (word, document, positions) -> {
          order.add(word);
          contents
              .computeIfAbsent(new String(word, UTF_8), w -> new TreeMap<>())
              .put(document, Arrays.stream(positions).boxed().toList());
        });
    assertThat(order).isSortedAccordingTo(Arrays::compareUnsigned);
    return contents;
  }

  /** The index as maps: words, documents, positions. */
  private static final class Model {

    private final Map<String, Map<Integer, List<Integer>>> words = new TreeMap<>();

    void add(int document, List<String> text) {
      for (int position = 0; position < text.size(); position++) {
        words
            .computeIfAbsent(text.get(position), w -> new TreeMap<>())
            .computeIfAbsent(document, d -> new ArrayList<>())
            .add(position);
      }
    }

    void remove(int document) {
      words.values().forEach(documents -> documents.remove(document));
      words.values().removeIf(Map::isEmpty);
    }

    /** A word and its list are a block each, and so are its positions in each document. */
    int blocks() {
      return words.values().stream().mapToInt(documents -> 2 + documents.size()).sum();
    }
  }
}
