// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

/** The hash of a word's bytes. */
public final class WordHash {

  private static final long SEED = 0xCBF29CE484222325L;
  private static final long FACTOR = 0x100000001B3L;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private WordHash() {}

  /**
   * Hashes a word.
   *
   * @param text the array that holds the word
   * @param from the index of its first byte
   * @param length its length in bytes
   * @return the hash, its low bits as good as its high ones
   */
  public static long of(byte[] text, int from, int length) {
    long hash = SEED;
    for (int i = from; i < from + length; i++) {
      hash = (hash ^ text[i] & 0xFF) * FACTOR;
    }
    hash = (hash ^ hash >>> 32) * MIX;
    return hash ^ hash >>> 29;
  }
}
