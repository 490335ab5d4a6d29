// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ashlar.samples.text.Corpus;
import dev.ashlar.samples.text.CorpusBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Documents of random words, a few of them common, most of them rare, as in real text. */
record GeneratedDocuments(List<List<String>> documents) {

  static GeneratedDocuments of(long seed, int count) {
    Random random = new Random(seed);
    List<List<String>> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> words = new ArrayList<>();
      int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 600 : 60);
      for (int j = 0; j < length; j++) {
        int range = 1 << 1 + random.nextInt(14);
        words.add("w" + "é".repeat(random.nextInt(2)) + random.nextInt(range));
      }
      documents.add(words);
    }
    return new GeneratedDocuments(documents);
  }

  Corpus corpus() {
    CorpusBuilder builder = new CorpusBuilder();
    for (List<String> words : documents) {
      byte[] text = String.join(" ", words).getBytes(UTF_8);
      builder.add(text, text.length);
    }
    return builder.build();
  }
}
