// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import dev.ashlar.samples.text.Corpus;

/**
 * Builds the index of a corpus once: documents come one after the other, each one past the window
 * pushes the oldest out, and at the end all leave.
 */
public final class WindowBuild {

  private final Corpus corpus;
  private final int documents;
  private final int window;

  /**
   * What one build did.
   *
   * @param nanos the time that adding and removing documents took, in nanoseconds
   * @param documents documents added and removed
   * @param usage what the index asked the allocator for
   * @param checksum the {@link IndexChecksum} when the last document had come
   */
  public record Result(long nanos, int documents, BlockUsage usage, String checksum) {}

  /**
   * Plans builds.
   *
   * @param corpus the documents
   * @param documents how many of them, from the first
   * @param window how many documents stay indexed, at least 1
   */
  public WindowBuild(Corpus corpus, int documents, int window) {
    this.corpus = corpus;
    this.documents = documents;
    this.window = Math.min(window, Math.max(1, documents));
  }

  /**
   * Builds the index and empties it. Opening and closing the allocator and computing the checksum
   * are not timed.
   *
   * @param arm the allocator
   * @return what the build did
   */
  public Result run(AllocatorArm arm) {
    IndexSize size = IndexSize.of(corpus, window);
    try (BlockStore store = arm.open(size.slots())) {
      InvertedIndex index = new InvertedIndex(store, size);
      long begin = System.nanoTime();
      addAll(index);
      long nanos = System.nanoTime() - begin;
      String checksum = IndexChecksum.of(index);
      begin = System.nanoTime();
      removeRest(index);
      nanos += System.nanoTime() - begin;
      BlockUsage usage = index.usage();
      if (usage.liveBlocks() != 0 || usage.liveBytes() != 0) {
        throw new IllegalStateException("an index without documents has blocks: " + usage);
      }
      return new Result(nanos, documents, usage, checksum);
    }
  }

  private void addAll(InvertedIndex index) {
    for (int document = 0; document < documents; document++) {
      if (document >= window) {
        index.remove(document - window);
      }
      index.add(corpus, document);
    }
  }

  private void removeRest(InvertedIndex index) {
    for (int document = Math.max(0, documents - window); document < documents; document++) {
      index.remove(document);
    }
  }
}
