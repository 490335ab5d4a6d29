// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/** Draws sizes and alignments: mostly small ones, now and then a huge block. */
final class SizeDraw {

  private static final int SMALL = 32 << 10;
  private static final int MEDIUM = 512 << 10;
  private static final int LARGE = 16 << 20;
  private static final int HUGE = 40 << 20;

  private SizeDraw() {}

  static long size(StepRandom random) {
    int kind = random.nextInt(4096);
    if (kind == 0) {
      return (long) LARGE + random.nextInt(HUGE - LARGE);
    }
    if (kind < 64) {
      return (long) MEDIUM + random.nextSkewed(LARGE - MEDIUM);
    }
    return kind < 512 ? (long) SMALL + random.nextSkewed(MEDIUM - SMALL) : random.nextSkewed(SMALL);
  }

  /** Draws an alignment: 1 mostly, else a power of two to 64 KiB, seldom to 1 MiB. */
  static long alignment(StepRandom random) {
    if (!random.once(8)) {
      return 1;
    }
    return 1L << random.nextInt(random.once(16) ? 21 : 17);
  }
}
