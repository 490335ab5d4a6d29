// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.adapters.Adapters;
import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.blocks.WorkCount;

/**
 * A program that starts, allocates and ends. It prints a clock reading, what it takes of memory and
 * what it did, which it counts by what its blocks then hold, and avoids everything that would start
 * slowly by itself.
 */
public final class ColdStartProbe {

  private static final int BLOCKS = 100_000;
  private static final long SIZE = 48;

  private ColdStartProbe() {}

  /**
   * Runs the program.
   *
   * @param args the allocator and how many blocks
   */
  public static void main(String[] args) {
    int count = Integer.parseInt(args[1]);
    Blocks blocks = Blocks.over(Adapters.create(args[0]), BLOCKS);
    blocks.enterThread();
    for (int i = 0; i < count; i++) {
      blocks.put(i, SIZE, i);
    }
    System.out.println(System.nanoTime());
    System.out.println(ResidentSize.bytes());
    System.gc();
    System.out.println(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    WorkCount work = new WorkCount();
    for (int i = 0; i < count; i++) {
      work.allocate(blocks.getLong(i, 0));
    }
    System.out.println(WorkLine.of(work));
    System.exit(0);
  }
}
