// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A corpus in a file, by which one JVM hands it to others. */
public final class CorpusFile {

  private static final int BUFFER_BYTES = 1 << 16;

  private CorpusFile() {}

  /**
   * Writes a corpus.
   *
   * @param file the file, which is overwritten
   * @param corpus the corpus
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, Corpus corpus) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES))) {
      out.writeLong(corpus.textBytes());
      out.writeLong(corpus.words());
      out.writeInt(corpus.wordBytes().length);
      out.write(corpus.wordBytes());
      write(out, corpus.wordStarts());
      out.writeInt(corpus.wordHashes().length);
      for (long hash : corpus.wordHashes()) {
        out.writeLong(hash);
      }
      write(out, corpus.stream());
      write(out, corpus.documentStarts());
      write(out, corpus.documentWords());
    }
  }

  /**
   * Reads a corpus.
   *
   * @param file a file that {@link #write} wrote
   * @return the corpus
   * @throws IOException if the file cannot be read
   */
  public static Corpus read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES))) {
      long textBytes = in.readLong();
      long words = in.readLong();
      byte[] wordBytes = new byte[in.readInt()];
      in.readFully(wordBytes);
      int[] wordStarts = readInts(in);
      long[] wordHashes = new long[in.readInt()];
      for (int i = 0; i < wordHashes.length; i++) {
        wordHashes[i] = in.readLong();
      }
      int[] stream = readInts(in);
      int[] documentStarts = readInts(in);
      int[] documentWords = readInts(in);
      return new Corpus(
          textBytes,
          words,
          wordBytes,
          wordStarts,
          wordHashes,
          stream,
          documentStarts,
          documentWords);
    }
  }

  private static void write(DataOutputStream out, int[] values) throws IOException {
    out.writeInt(values.length);
    for (int value : values) {
      out.writeInt(value);
    }
  }

  private static int[] readInts(DataInputStream in) throws IOException {
    int[] values = new int[in.readInt()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readInt();
    }
    return values;
  }
}
