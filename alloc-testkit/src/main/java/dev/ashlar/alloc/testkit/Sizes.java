// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What contracts try: powers of two and their neighbours, and a few odd ones. */
final class Sizes {

  private static final long MIB = 1L << 20;

  private Sizes() {}

  /** Sizes from 0 to a little above 16 MiB, rising. */
  static long[] all() {
    return Stream.of(
            LongStream.rangeClosed(0, 66),
            around(7, 21),
            LongStream.of(100, 1_000, 10_000, 50_000, 655_362, 3 * MIB + 5),
            LongStream.of(16 * MIB, 16 * MIB + 1))
        .flatMapToLong(sizes -> sizes)
        .sorted()
        .distinct()
        .toArray();
  }

  /** A size of each kind an allocator is likely to treat in its own way, rising. */
  static long[] few() {
    return new long[] {0, 1, 16, 100, 1_024, 5_000, 32_768, 50_000, 300_000, MIB, 16 * MIB + 1};
  }

  /** Sizes no memory can hold, including those that wrap when something is added to them. */
  static long[] impossible() {
    return new long[] {
      1L << 60, Long.MAX_VALUE / 2 + 1, Long.MAX_VALUE - 63, Long.MAX_VALUE - 15, Long.MAX_VALUE
    };
  }

  /** Every power of two from 1 to 1 MiB and a few greater ones, rising. */
  static long[] alignments() {
    return LongStream.concat(
            IntStream.rangeClosed(0, 20).mapToLong(bit -> 1L << bit),
            LongStream.of(2 * MIB, 4 * MIB, 64 * MIB, 1024 * MIB))
        .toArray();
  }

  /** Numbers that are no alignment, {@code Long.MIN_VALUE} with its single bit included. */
  static long[] badAlignments() {
    return new long[] {0, 3, 6, 24, 48, 96, -1, -16, Long.MIN_VALUE, Long.MAX_VALUE};
  }

  private static LongStream around(int firstBit, int lastBit) {
    return IntStream.rangeClosed(firstBit, lastBit)
        .mapToLong(bit -> 1L << bit)
        .flatMap(power -> LongStream.of(power - 1, power, power + 1));
  }
}
