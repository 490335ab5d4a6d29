// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

/**
 * Decodes one UTF-8 character at a time, so that malformed bytes cost one byte and no exception.
 */
final class Utf8 {

  /** What {@link #decode} returns for bytes that are not UTF-8. */
  static final int MALFORMED = -1;

  private Utf8() {}

  /**
   * Decodes the character that begins at an index.
   *
   * @param text the bytes
   * @param at where the character begins
   * @param length how many of the bytes are text
   * @return the code point, or {@link #MALFORMED}
   */
  static int decode(byte[] text, int at, int length) {
    int first = text[at];
    if (first >= 0) {
      return first;
    }
    int width = widthOf(first);
    if (width == 0 || at + width > length) {
      return MALFORMED;
    }
    int codePoint = first & (0x7F >> width);
    for (int i = 1; i < width; i++) {
      int next = text[at + i];
      if ((next & 0xC0) != 0x80) {
        return MALFORMED;
      }
      codePoint = codePoint << 6 | next & 0x3F;
    }
    boolean shortest = width(codePoint) == width;
    boolean surrogate =
        codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    return shortest && !surrogate && Character.isValidCodePoint(codePoint) ? codePoint : MALFORMED;
  }

  /**
   * Returns how many bytes a code point takes.
   *
   * @param codePoint a code point
   * @return one to four
   */
  static int width(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < 0x10000 ? 3 : 4;
  }

  private static int widthOf(int first) {
    if ((first & 0xE0) == 0xC0) {
      return 2;
    }
    if ((first & 0xF0) == 0xE0) {
      return 3;
    }
    return (first & 0xF8) == 0xF0 ? 4 : 0;
  }
}
