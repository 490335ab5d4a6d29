// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import java.util.BitSet;

/**
 * Numbers that fit in a byte, for whoever needs to be told from all others at a time. There are 254
 * of them; beyond that all get {@link #SHARED}. 0 is nobody's. Safe for any thread.
 */
final class ByteNumbers {

  /** The number of those that got none of their own. */
  static final byte SHARED = (byte) 255;

  private static final int END = 255;

  private final BitSet taken = new BitSet(END);

  /** The number given last: going round, one is not given again soon. */
  private int last;

  synchronized byte take() {
    int number = taken.nextClearBit(last + 1);
    if (number >= END) {
      number = taken.nextClearBit(1);
    }
    if (number >= END) {
      return SHARED;
    }
    taken.set(number);
    last = number;
    return (byte) number;
  }

  synchronized void give(byte number) {
    if (number != SHARED) {
      taken.clear(Byte.toUnsignedInt(number));
    }
  }
}
