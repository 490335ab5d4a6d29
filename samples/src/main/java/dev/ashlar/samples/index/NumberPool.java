// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

/** Hands out small numbers and takes them back; the one that came back last is handed out first. */
final class NumberPool {

  private final int[] free;
  private int count;

  /**
   * Makes a full pool.
   *
   * @param first the least number
   * @param size how many numbers there are
   */
  NumberPool(int first, int size) {
    free = new int[size];
    count = size;
    for (int i = 0; i < size; i++) {
      free[i] = first + size - 1 - i;
    }
  }

  int take() {
    if (count == 0) {
      throw new IllegalStateException("more than " + free.length + " are in use");
    }
    return free[--count];
  }

  void giveBack(int number) {
    free[count++] = number;
  }

  int inUse() {
    return free.length - count;
  }
}
