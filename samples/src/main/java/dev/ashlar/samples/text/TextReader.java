// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads one text after the other into one growing array, up to a total size. */
final class TextReader {

  /** How much of a file is looked at to tell text from binary, in bytes. */
  static final int SNIFFED_BYTES = 8 << 10;

  private byte[] text = new byte[1 << 16];
  private int length;
  private long remaining;
  private boolean limitReached;

  /**
   * Makes a reader.
   *
   * @param limitBytes how many bytes of text it reads in all
   */
  TextReader(long limitBytes) {
    remaining = limitBytes;
  }

  /**
   * Reads a stream to its end, or as far as the limit allows.
   *
   * @param in the stream
   * @return false if the stream is not text; nothing counts against the limit then
   * @throws IOException if it cannot be read
   */
  boolean read(InputStream in) throws IOException {
    length = in.readNBytes(text, 0, SNIFFED_BYTES);
    for (int i = 0; i < length; i++) {
      if (text[i] == 0) {
        return false;
      }
    }
    long wanted = Math.min(remaining + 1, Integer.MAX_VALUE - 8);
    while (length < wanted) {
      if (length == text.length) {
        text = Arrays.copyOf(text, (int) Math.min(2L * length, Integer.MAX_VALUE - 8));
      }
      int read = in.read(text, length, (int) Math.min(wanted, text.length) - length);
      if (read < 0) {
        break;
      }
      length += read;
    }
    if (length > remaining) {
      length = (int) remaining;
      limitReached = true;
    }
    remaining -= length;
    return true;
  }

  /**
   * Returns the text that was read last.
   *
   * @return the array, of which {@link #length()} bytes are text; the next read overwrites it
   */
  byte[] text() {
    return text;
  }

  /**
   * Returns the size of the text that was read last.
   *
   * @return the size in bytes
   */
  int length() {
    return length;
  }

  /**
   * Tells whether there was more text than the limit allows.
   *
   * @return true once a text was cut
   */
  boolean limitReached() {
    return limitReached;
  }
}
