// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorpusTest {

  @Test
  void groupsTheOccurrencesOfEachDocumentByWord() {
    Corpus corpus = corpus("to be or not to be", "be quick");

    assertThat(occurrences(corpus, 0))
        .containsExactly(
            Map.entry("to", List.of(0, 4)),
            Map.entry("be", List.of(1, 5)),
            Map.entry("or", List.of(2)),
            Map.entry("not", List.of(3)));
    assertThat(occurrences(corpus, 1))
        .containsExactly(Map.entry("be", List.of(0)), Map.entry("quick", List.of(1)));
    assertThat(corpus.words()).isEqualTo(8);
    assertThat(corpus.distinctWords()).isEqualTo(5);
    assertThat(corpus.textBytes()).isEqualTo(26);
  }

  @Test
  void leavesOutDocumentsWithoutWords() {
    Corpus corpus = corpus("", "...", "a");

    assertThat(corpus.documents()).isEqualTo(1);
    assertThat(corpus.textBytes()).isEqualTo(1);
  }

  @Test
  void agreesWithMapsOnManyWords() {
    Random random = new Random(7);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < 1 + random.nextInt(400); word++) {
        text.append(Integer.toString(random.nextInt(20_000), 36)).append(' ');
      }
      texts.add(text.toString());
    }
    Corpus corpus = corpus(texts.toArray(String[]::new));

    assertThat(corpus.documents()).isEqualTo(texts.size());
    for (int document = 0; document < texts.size(); document++) {
      Map<String, List<Integer>> expected = new LinkedHashMap<>();
      String[] words = texts.get(document).split(" ", 0);
      for (int position = 0; position < words.length; position++) {
        expected.computeIfAbsent(words[position], w -> new ArrayList<>()).add(position);
      }
      assertThat(occurrences(corpus, document)).isEqualTo(expected);
    }
  }

  @Test
  void keepsItsHashesWithItsWords() {
    Corpus corpus = corpus("alpha beta größe");

    for (int word = 0; word < corpus.distinctWords(); word++) {
      byte[] bytes = corpus.spelling(word).getBytes(UTF_8);
      assertThat(corpus.wordHashes()[word]).isEqualTo(WordHash.of(bytes, 0, bytes.length));
    }
  }

  @Test
  void isTheSameAfterAFile(@TempDir Path folder) throws IOException {
    Corpus corpus = corpus("to be or not to be", "be quick", "größe");
    Path file = folder.resolve("corpus");

    CorpusFile.write(file, corpus);

    assertThat(CorpusFile.read(file)).usingRecursiveComparison().isEqualTo(corpus);
  }

  static Corpus corpus(String... texts) {
    CorpusBuilder builder = new CorpusBuilder();
    for (String text : texts) {
      byte[] bytes = text.getBytes(UTF_8);
      builder.add(bytes, bytes.length);
    }
    return builder.build();
  }

  private static Map<String, List<Integer>> occurrences(Corpus corpus, int document) {
    Map<String, List<Integer>> occurrences = new LinkedHashMap<>();
    int at = corpus.documentStarts()[document];
    int end = corpus.documentStarts()[document + 1];
    while (at < end) {
      List<Integer> positions = new ArrayList<>();
      int count = corpus.stream()[at + 1];
      for (int i = 0; i < count; i++) {
        positions.add(corpus.stream()[at + 2 + i]);
      }
      occurrences.put(corpus.spelling(corpus.stream()[at]), positions);
      at += 2 + count;
    }
    assertThat(occurrences).hasSize(corpus.documentWords()[document]);
    return occurrences;
  }
}
