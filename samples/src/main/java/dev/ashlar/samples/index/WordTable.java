// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

/**
 * Finds the entry of a word: a hash table with open addressing in the Java heap, over words that
 * are blocks of their length and their bytes.
 *
 * <p>An entry is a small number that a word has while it is in the table; a freed entry is used
 * again.
 */
final class WordTable {

  /** What {@link #find} returns for a word that is not in the table. */
  static final int ABSENT = -1;

  private static final int HEADER_BYTES = 4;

  private final Blocks blocks;
  private final IndexSize size;
  private final NumberPool numbers;
  private final int mask;

  /** By place: the high half of a word's hash and, below it, its entry plus one; 0 if empty. */
  private final long[] table;

  /** By entry: the place of its word. */
  private final int[] places;

  /**
   * Makes an empty table.
   *
   * @param blocks where the words are
   * @param size how many words it can hold, and which slots they have
   */
  WordTable(Blocks blocks, IndexSize size) {
    this.blocks = blocks;
    this.size = size;
    numbers = new NumberPool(0, size.words());
    int length = Integer.highestOneBit(Math.max(size.words(), 4)) * 4;
    mask = length - 1;
    table = new long[length];
    places = new int[size.words()];
  }

  int size() {
    return numbers.inUse();
  }

  int find(long hash, byte[] text, int from, int length) {
    for (int place = home(hash); table[place] != 0; place = place + 1 & mask) {
      if ((table[place] ^ hash) >>> 32 == 0) {
        int entry = entryAt(place);
        long word = blocks.address(size.wordSlot(entry));
        if (OffHeap.getInt(word) == length
            && OffHeap.sameBytes(text, from, word + HEADER_BYTES, length)) {
          return entry;
        }
      }
    }
    return ABSENT;
  }

  /** Adds a word that is not in the table and returns its entry. */
  int add(long hash, byte[] text, int from, int length) {
    int entry = numbers.take();
    long word = blocks.allocate(size.wordSlot(entry), HEADER_BYTES + length);
    OffHeap.putInt(word, length);
    OffHeap.putBytes(text, from, word + HEADER_BYTES, length);
    int place = home(hash);
    while (table[place] != 0) {
      place = place + 1 & mask;
    }
    put(place, hash >>> 32 << 32 | entry + 1);
    return entry;
  }

  void remove(int entry) {
    long word = blocks.address(size.wordSlot(entry));
    blocks.free(size.wordSlot(entry), HEADER_BYTES + OffHeap.getInt(word));
    numbers.giveBack(entry);
    closeGap(places[entry]);
  }

  /** Returns a copy of an entry's word. */
  byte[] word(int entry) {
    long word = blocks.address(size.wordSlot(entry));
    byte[] bytes = new byte[OffHeap.getInt(word)];
    OffHeap.getBytes(word + HEADER_BYTES, bytes, bytes.length);
    return bytes;
  }

  /** Returns the entries of all words in no order. */
  int[] allEntries() {
    int[] all = new int[size()];
    int count = 0;
    for (int place = 0; place <= mask; place++) {
      if (table[place] != 0) {
        all[count++] = entryAt(place);
      }
    }
    return all;
  }

  /** Empties a place and moves up the words behind it that would be cut off from their home. */
  private void closeGap(int gap) {
    for (int place = gap + 1 & mask; table[place] != 0; place = place + 1 & mask) {
      if ((place - home(table[place]) & mask) >= (place - gap & mask)) {
        put(gap, table[place]);
        gap = place;
      }
    }
    table[gap] = 0;
  }

  private void put(int place, long value) {
    table[place] = value;
    places[entryAt(place)] = place;
  }

  private int entryAt(int place) {
    return (int) table[place] - 1;
  }

  /** Returns the place that a hash, or a value of the table, is looked for first. */
  private int home(long hash) {
    return (int) (hash >>> 32) & mask;
  }
}
