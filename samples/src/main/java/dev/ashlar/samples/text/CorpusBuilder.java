// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import java.util.Arrays;

/** Makes a {@link Corpus} of documents that come one at a time. */
public final class CorpusBuilder {

  private final Vocabulary vocabulary = new Vocabulary();

  private int[] stream = new int[1 << 16];
  private int streamLength;
  private int[] documentStarts = new int[1 << 8];
  private int[] documentWords = new int[1 << 8];
  private int documents;
  private long textBytes;
  private long words;

  /** The words of the document at hand by position. */
  private int[] positions = new int[1 << 12];

  private int length;

  /** By word: how often the document at hand has it, then where its next position goes. */
  private int[] cursors = new int[1 << 12];

  /** Makes a builder with no documents. */
  public CorpusBuilder() {}

  /**
   * Adds a document. A text without words is no document and is left out.
   *
   * @param text the text in UTF-8; its ASCII letters are made lowercase in place
   * @param textLength how many of the bytes are text
   */
  public void add(byte[] text, int textLength) {
    length = 0;
    Tokenizer.tokenize(text, textLength, this::take);
    if (length == 0) {
      return;
    }
    if (documents + 1 == documentStarts.length) {
      documentStarts = Arrays.copyOf(documentStarts, 2 * documentStarts.length);
      documentWords = Arrays.copyOf(documentWords, documentStarts.length);
    }
    documentWords[documents] = appendOccurrences();
    documents++;
    documentStarts[documents] = streamLength;
    textBytes += textLength;
    words += length;
  }

  /**
   * Returns how many documents have words.
   *
   * @return the number of documents
   */
  public int documents() {
    return documents;
  }

  /**
   * Makes the corpus of the documents so far.
   *
   * @return a corpus that shares nothing with this builder
   */
  public Corpus build() {
    return new Corpus(
        textBytes,
        words,
        vocabulary.bytes(),
        vocabulary.starts(),
        vocabulary.hashes(),
        Arrays.copyOf(stream, streamLength),
        Arrays.copyOf(documentStarts, documents + 1),
        Arrays.copyOf(documentWords, documents));
  }

  private void take(byte[] text, int from, int wordLength) {
    if (length == positions.length) {
      positions = Arrays.copyOf(positions, 2 * length);
    }
    positions[length++] = vocabulary.number(text, from, wordLength);
  }

  /** Writes the occurrences of the document at hand and returns how many distinct words it has. */
  private int appendOccurrences() {
    if (cursors.length < vocabulary.size()) {
      cursors = new int[2 * vocabulary.size()];
    }
    int distinct = 0;
    for (int position = 0; position < length; position++) {
      if (cursors[positions[position]]++ == 0) {
        distinct++;
      }
    }
    reserve(2 * distinct + length);
    for (int position = 0; position < length; position++) {
      int word = positions[position];
      // A count is positive; a cursor is kept negative, so that one array serves for both.
      if (cursors[word] > 0) {
        int count = cursors[word];
        stream[streamLength] = word;
        stream[streamLength + 1] = count;
        cursors[word] = -(streamLength + 2);
        streamLength += 2 + count;
      }
      stream[-cursors[word]] = position;
      cursors[word]--;
    }
    for (int position = 0; position < length; position++) {
      cursors[positions[position]] = 0;
    }
    return distinct;
  }

  private void reserve(int more) {
    int needed = Math.addExact(streamLength, more);
    if (needed > stream.length) {
      long doubled = Math.min(2L * stream.length, Integer.MAX_VALUE - 8);
      stream = Arrays.copyOf(stream, (int) Math.max(needed, doubled));
    }
  }
}
