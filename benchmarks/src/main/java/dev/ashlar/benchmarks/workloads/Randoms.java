// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Xorshift;
import java.util.Arrays;

/** A generator for each thread. */
final class Randoms {

  private Randoms() {}

  static Xorshift[] of(int threads) {
    Xorshift[] randoms = new Xorshift[threads];
    Arrays.setAll(randoms, Xorshift::new);
    return randoms;
  }
}
