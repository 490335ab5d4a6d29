// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

/**
 * Cuts UTF-8 text into words: runs of letters and digits of any script, with the marks that follow
 * them. ASCII letters become lowercase; bytes that are not UTF-8 separate words.
 */
public final class Tokenizer {

  private Tokenizer() {}

  /** Takes the words of a text in order. */
  @FunctionalInterface
  public interface WordSink {

    /**
     * Takes one word.
     *
     * @param text the array that holds the word
     * @param from the index of its first byte
     * @param length its length in bytes, at least one
     */
    void word(byte[] text, int from, int length);
  }

  /**
   * Finds the words of a text.
   *
   * @param text the text; its ASCII letters are made lowercase in place
   * @param length how many of the bytes are text
   * @param sink what takes the words
   */
  public static void tokenize(byte[] text, int length, WordSink sink) {
    int wordStart = -1;
    int at = 0;
    while (at < length) {
      int codePoint = Utf8.decode(text, at, length);
      int width = codePoint == Utf8.MALFORMED ? 1 : Utf8.width(codePoint);
      if (codePoint >= 'A' && codePoint <= 'Z') {
        text[at] = (byte) (codePoint + ('a' - 'A'));
      }
      if (belongsToWord(codePoint, wordStart >= 0)) {
        if (wordStart < 0) {
          wordStart = at;
        }
      } else if (wordStart >= 0) {
        sink.word(text, wordStart, at - wordStart);
        wordStart = -1;
      }
      at += width;
    }
    if (wordStart >= 0) {
      sink.word(text, wordStart, length - wordStart);
    }
  }

  private static boolean belongsToWord(int codePoint, boolean insideWord) {
    if (codePoint < 0x80) {
      return codePoint >= 'a' && codePoint <= 'z'
          || codePoint >= 'A' && codePoint <= 'Z'
          || codePoint >= '0' && codePoint <= '9';
    }
    return Character.isLetterOrDigit(codePoint) || insideWord && isMark(codePoint);
  }

  private static boolean isMark(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || type == Character.ENCLOSING_MARK;
  }
}
