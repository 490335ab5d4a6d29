// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import dev.ashlar.samples.text.Corpus;
import dev.ashlar.samples.text.WordHash;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * An inverted index over the newest documents: for each word, the documents that have it and where.
 *
 * <p>All of it but the table of words is off the Java heap. These are blocks: a word's bytes, a
 * word's posting list, the positions of a word in a document, and a document's words, by which they
 * are found when the document leaves.
 */
public final class InvertedIndex {

  private final IndexSize size;
  private final Blocks blocks;
  private final WordTable words;
  private final NumberPool postingSlots;

  /** Takes the postings of an index. */
  @FunctionalInterface
  public interface PostingVisitor {

    /**
     * Takes one posting.
     *
     * @param word the word in UTF-8
     * @param document the document that has it
     * @param positions where it has it, counted in words
     */
    void posting(byte[] word, int document, int[] positions);
  }

  /**
   * Makes an empty index.
   *
   * @param store the allocator, opened for {@link IndexSize#slots()} slots
   * @param size how large the index can become
   */
  public InvertedIndex(BlockStore store, IndexSize size) {
    this.size = size;
    this.blocks = new Blocks(store, size.slots());
    this.words = new WordTable(blocks, size);
    this.postingSlots = new NumberPool(size.firstPostingSlot(), size.postings());
  }

  /**
   * Adds a document. Documents are added in order, and {@link #remove} makes room first when the
   * window is full.
   *
   * @param corpus where the document is
   * @param document its number
   */
  public void add(Corpus corpus, int document) {
    int distinct = corpus.documentWords()[document];
    long documentBlock = Ints.create(blocks, size.documentSlot(document), distinct);
    addWords(corpus, document, documentBlock);
    addPostings(corpus, document, documentBlock);
  }

  /** Writes the entry of each of a document's words into the document's block. */
  private void addWords(Corpus corpus, int document, long documentBlock) {
    int[] stream = corpus.stream();
    int at = corpus.documentStarts()[document];
    for (int i = 0; i < Ints.count(documentBlock); i++) {
      Ints.set(documentBlock, i, entryOf(corpus, stream[at]));
      at += 2 + stream[at + 1];
    }
  }

  private void addPostings(Corpus corpus, int document, long documentBlock) {
    int[] stream = corpus.stream();
    int at = corpus.documentStarts()[document];
    for (int i = 0; i < Ints.count(documentBlock); i++) {
      int count = stream[at + 1];
      int positionsSlot = postingSlots.take();
      Ints.setAll(Ints.create(blocks, positionsSlot, count), stream, at + 2);
      int listSlot = size.listSlot(Ints.get(documentBlock, i));
      PostingList.append(blocks, listSlot, document, positionsSlot);
      at += 2 + count;
    }
  }

  /**
   * Removes the oldest document, with the words that no other document has.
   *
   * @param document its number
   */
  public void remove(int document) {
    int documentSlot = size.documentSlot(document);
    long documentBlock = blocks.address(documentSlot);
    int distinct = Ints.count(documentBlock);
    // The entries make way for the slots of the positions.
    for (int i = 0; i < distinct; i++) {
      int entry = Ints.get(documentBlock, i);
      int listSlot = size.listSlot(entry);
      Ints.set(documentBlock, i, PostingList.removeOldest(blocks, listSlot, document));
      if (blocks.address(listSlot) == 0) {
        words.remove(entry);
      }
    }
    for (int i = 0; i < distinct; i++) {
      int positionsSlot = Ints.get(documentBlock, i);
      Ints.free(blocks, positionsSlot);
      postingSlots.giveBack(positionsSlot);
    }
    Ints.free(blocks, documentSlot);
  }

  /**
   * Counts the documents that have a word.
   *
   * @param word the word in UTF-8, its ASCII letters lowercase
   * @return the number of documents in the index that have it
   */
  public int documentsWith(byte[] word) {
    int entry = words.find(WordHash.of(word, 0, word.length), word, 0, word.length);
    return entry == WordTable.ABSENT ? 0 : PostingList.size(blocks.address(size.listSlot(entry)));
  }

  /**
   * Counts the distinct words.
   *
   * @return the number of words that some document in the index has
   */
  public int words() {
    return words.size();
  }

  /**
   * Visits all postings: words in the order of their bytes, each with its documents from the
   * oldest. The order does not depend on the allocator.
   *
   * @param visitor what takes the postings
   */
  public void forEach(PostingVisitor visitor) {
    NavigableMap<byte[], Integer> sorted = new TreeMap<>(Arrays::compareUnsigned);
    for (int entry : words.allEntries()) {
      sorted.put(words.word(entry), entry);
    }
    sorted.forEach((word, entry) -> visitPostings(word, entry, visitor));
  }

  private void visitPostings(byte[] word, int entry, PostingVisitor visitor) {
    long list = blocks.address(size.listSlot(entry));
    for (int i = 0; i < PostingList.size(list); i++) {
      long positions = blocks.address(PostingList.positionsSlot(list, i));
      visitor.posting(word, PostingList.document(list, i), Ints.getAll(positions));
    }
  }

  /**
   * Tells what the index has asked its allocator for.
   *
   * @return the counts so far
   */
  public BlockUsage usage() {
    return blocks.usage();
  }

  private int entryOf(Corpus corpus, int word) {
    long hash = corpus.wordHashes()[word];
    int from = corpus.wordStarts()[word];
    int length = corpus.wordStarts()[word + 1] - from;
    int entry = words.find(hash, corpus.wordBytes(), from, length);
    return entry == WordTable.ABSENT ? words.add(hash, corpus.wordBytes(), from, length) : entry;
  }
}
