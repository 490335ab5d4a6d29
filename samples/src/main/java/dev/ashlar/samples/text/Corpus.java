// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import java.nio.charset.StandardCharsets;

/**
 * Documents cut into words, ready to be indexed: flat arrays, so that indexing reads them without
 * following objects.
 *
 * <p>The occurrences of a document are a run of {@link #stream()}: for each distinct word, in the
 * order of first appearance, the word's number, how often it occurs, and the positions where it
 * occurs, counted in words from 0.
 *
 * @param textBytes the size of the text in bytes
 * @param words how many words the text has, repeated ones included
 * @param wordBytes the bytes of all distinct words, one after the other
 * @param wordStarts where each distinct word begins in {@code wordBytes}, and where the last ends
 * @param wordHashes the {@link WordHash} of each distinct word
 * @param stream the occurrences of all documents
 * @param documentStarts where each document begins in {@code stream}, and where the last ends
 * @param documentWords how many distinct words each document has
 */
@SuppressWarnings("ArrayRecordComponent") // compared by no one; the arrays are the point
public record Corpus(
    long textBytes,
    long words,
    byte[] wordBytes,
    int[] wordStarts,
    long[] wordHashes,
    int[] stream,
    int[] documentStarts,
    int[] documentWords) {

  /**
   * Returns how many documents there are.
   *
   * @return the number of documents
   */
  public int documents() {
    return documentWords.length;
  }

  /**
   * Returns how many distinct words there are.
   *
   * @return the number of words
   */
  public int distinctWords() {
    return wordHashes.length;
  }

  /**
   * Spells a word.
   *
   * @param word the number of a distinct word
   * @return its characters
   */
  public String spelling(int word) {
    return new String(
        wordBytes,
        wordStarts[word],
        wordStarts[word + 1] - wordStarts[word],
        StandardCharsets.UTF_8);
  }
}
