// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import dev.ashlar.samples.text.Corpus;

/**
 * How large an index can become.
 *
 * @param words how many distinct words it can have at once
 * @param documents how many documents it can have at once
 * @param postings how many postings it can have at once: a word in a document is one
 */
public record IndexSize(int words, int documents, int postings) {

  /**
   * Returns the size that a window over a corpus needs.
   *
   * @param corpus the documents
   * @param window how many of them are indexed at once
   * @return the size
   */
  public static IndexSize of(Corpus corpus, int window) {
    int[] documentWords = corpus.documentWords();
    long postings = 0;
    long greatest = 0;
    for (int document = 0; document < documentWords.length; document++) {
      postings += documentWords[document];
      if (document >= window) {
        postings -= documentWords[document - window];
      }
      greatest = Math.max(greatest, postings);
    }
    return new IndexSize(corpus.distinctWords(), window, Math.toIntExact(greatest));
  }

  /**
   * Returns how many blocks there can be: two for each word, and one for each document and posting.
   *
   * @return the number of slots
   */
  public int slots() {
    return Math.toIntExact(2L * words + documents + postings);
  }

  int wordSlot(int entry) {
    return 2 * entry;
  }

  int listSlot(int entry) {
    return 2 * entry + 1;
  }

  int documentSlot(int document) {
    return 2 * words + document % documents;
  }

  int firstPostingSlot() {
    return 2 * words + documents;
  }
}
