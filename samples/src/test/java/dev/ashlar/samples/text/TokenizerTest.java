// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenizerTest {

  @Test
  void cutsAtWhatIsNeitherLetterNorDigit() {
    assertThat(words("int[] a1 = b_2(\"x-ray\");\n"))
        .containsExactly("int", "a1", "b", "2", "x", "ray");
  }

  @Test
  void makesAsciiLettersLowercaseAndLeavesOthers() {
    assertThat(words("HashMap ÄPFEL")).containsExactly("hashmap", "Äpfel");
  }

  @Test
  void takesLettersAndDigitsOfAnyScript() {
    assertThat(words("東京 größe Ελλάδα ٣٤ 𝒳𝒴"))
        .containsExactly("東京", "größe", "Ελλάδα", "٣٤", "𝒳𝒴");
  }

  @Test
  void keepsMarksWithTheLetterBeforeThem() {
    assertThat(words("हिन्दी e\u0301t \u0301x")).containsExactly("हिन्दी", "e\u0301t", "x");
  }

  @Test
  void findsWordsAtBothEnds() {
    assertThat(words("a")).containsExactly("a");
    assertThat(words("a b")).containsExactly("a", "b");
  }

  @Test
  void findsNothingInNothing() {
    assertThat(words("")).isEmpty();
    assertThat(words(" .,;\n")).isEmpty();
  }

  @Test
  void readsNoFurtherThanTheLength() {
    List<String> words = new ArrayList<>();
    Tokenizer.tokenize("abcdef".getBytes(UTF_8), 3, collect(words));
    assertThat(words).containsExactly("abc");
  }

  @Test
  void takesMalformedBytesForSeparators() {
    byte[] latin1 = {'a', (byte) 0xE4, 'b'};
    byte[] overlong = {'a', (byte) 0xC1, (byte) 0x81, 'b'};
    byte[] surrogate = {'a', (byte) 0xED, (byte) 0xA0, (byte) 0x80, 'b'};
    byte[] tooGreat = {'a', (byte) 0xF7, (byte) 0xBF, (byte) 0xBF, (byte) 0xBF, 'b'};
    byte[] cut = {'a', (byte) 0xE6, (byte) 0x9D};
    assertThat(words(latin1)).containsExactly("a", "b");
    assertThat(words(overlong)).containsExactly("a", "b");
    assertThat(words(surrogate)).containsExactly("a", "b");
    assertThat(words(tooGreat)).containsExactly("a", "b");
    assertThat(words(cut)).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void agreesWithCuttingTheCharacters(long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      int limit = random.nextInt(4) == 0 ? 0x20000 : 0x100;
      int codePoint = random.nextInt(limit);
      boolean surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
      text.appendCodePoint(surrogate ? ' ' : codePoint);
    }
    assertThat(words(text.toString())).isEqualTo(model(text.toString()));
  }

  private static List<String> model(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              boolean mark = Character.toString(c).matches("\\p{M}");
              if (Character.isLetterOrDigit(c) || mark && !word.isEmpty()) {
                word.appendCodePoint(c >= 'A' && c <= 'Z' ? c + 32 : c);
              } else if (!word.isEmpty()) {
                words.add(word.toString());
                word.setLength(0);
              }
            });
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }

  private static List<String> words(String text) {
    return words(text.getBytes(UTF_8));
  }

  private static List<String> words(byte[] text) {
    List<String> words = new ArrayList<>();
    Tokenizer.tokenize(text, text.length, collect(words));
    return words;
  }

  private static Tokenizer.WordSink collect(List<String> words) {
    return (text, from, length) -> words.add(new String(text, from, length, UTF_8));
  }
}
