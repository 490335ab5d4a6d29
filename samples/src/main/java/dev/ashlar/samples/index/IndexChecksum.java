// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A digest of an index: its postings in order. */
public final class IndexChecksum {

  private static final int KEPT_BYTES = 8;

  private IndexChecksum() {}

  /**
   * Computes the checksum.
   *
   * @param index the index
   * @return 16 hexadecimal digits, the same for the same words and postings
   */
  public static String of(InvertedIndex index) {
    MessageDigest digest = sha256();
    index.forEach(
        (word, document, positions) -> {
          int size = word.length + (3 + positions.length) * Integer.BYTES;
          ByteBuffer bytes = ByteBuffer.allocate(size);
          bytes.putInt(word.length).put(word).putInt(document).putInt(positions.length);
          bytes.asIntBuffer().put(positions);
          digest.update(bytes.array());
        });
    return HexFormat.of().formatHex(digest.digest(), 0, KEPT_BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
