// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import java.util.Arrays;

/** Numbers distinct words in the order in which they first appear. */
final class Vocabulary {

  private byte[] bytes = new byte[1 << 16];
  private int[] starts = new int[1 << 12];
  private long[] hashes = new long[1 << 12];
  private int size;

  /** Word numbers plus one by hash; 0 is an empty place. A power of two, at most half full. */
  private int[] table = new int[1 << 13];

  /**
   * Returns the number of a word, which it gets now if it is new.
   *
   * @param text the array that holds the word
   * @param from the index of its first byte
   * @param length its length in bytes
   * @return the number, counted from 0
   */
  int number(byte[] text, int from, int length) {
    long hash = WordHash.of(text, from, length);
    int mask = table.length - 1;
    int place = (int) hash & mask;
    while (table[place] != 0) {
      int word = table[place] - 1;
      if (hashes[word] == hash
          && Arrays.equals(bytes, starts[word], starts[word + 1], text, from, from + length)) {
        return word;
      }
      place = place + 1 & mask;
    }
    table[place] = size + 1;
    append(text, from, length, hash);
    return size - 1;
  }

  /**
   * Returns how many distinct words there are.
   *
   * @return the number of words
   */
  int size() {
    return size;
  }

  /**
   * Returns the bytes of all words, one after the other.
   *
   * @return a new array
   */
  byte[] bytes() {
    return Arrays.copyOf(bytes, starts[size]);
  }

  /**
   * Returns where each word's bytes begin, and where the last one's end.
   *
   * @return a new array, one longer than there are words
   */
  int[] starts() {
    return Arrays.copyOf(starts, size + 1);
  }

  /**
   * Returns the hash of each word.
   *
   * @return a new array
   */
  long[] hashes() {
    return Arrays.copyOf(hashes, size);
  }

  private void append(byte[] text, int from, int length, long hash) {
    int start = starts[size];
    if (start + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(start + length, 2 * bytes.length));
    }
    System.arraycopy(text, from, bytes, start, length);
    hashes[size] = hash;
    size++;
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * size);
      starts = Arrays.copyOf(starts, 2 * size);
    }
    starts[size] = start + length;
    if (2 * size > table.length) {
      enlargeTable();
    }
  }

  private void enlargeTable() {
    int[] larger = new int[2 * table.length];
    int mask = larger.length - 1;
    for (int word = 0; word < size; word++) {
      int place = (int) hashes[word] & mask;
      while (larger[place] != 0) {
        place = place + 1 & mask;
      }
      larger[place] = word + 1;
    }
    table = larger;
  }
}
