// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

/**
 * How programs are made and run.
 *
 * @param detectsMisuse whether the allocator says when it is handed an address that is no live
 *     block; if not, programs hand in none
 * @param alone whether the program is the only user of the allocator, so that counters can be
 *     compared and addresses just freed stay free
 * @param mostBlocks how many blocks are live at most; older ones are freed to make room
 * @param mostBytes how many bytes are live at most, a single block excepted
 * @param mostSize the greatest size that generated programs ask for
 * @param fullCanaryBytes the greatest usable size of a block whose every byte carries a canary;
 *     larger ones get {@link Canary#SPARSE}
 */
public record ProgramOptions(
    boolean detectsMisuse,
    boolean alone,
    int mostBlocks,
    long mostBytes,
    long mostSize,
    long fullCanaryBytes) {

  /**
   * Returns options for thorough runs of short programs: every byte of every block is checked.
   *
   * @return options with misuse, for a program that is alone
   */
  public static ProgramOptions thorough() {
    return new ProgramOptions(true, true, 200, 64L << 20, 17L << 20, Long.MAX_VALUE);
  }

  /**
   * Returns options for runs of millions of operations: large blocks are checked at each OS page.
   *
   * @return options with misuse, for a program that is alone
   */
  public static ProgramOptions bulk() {
    return new ProgramOptions(true, true, 2_000, 128L << 20, 20L << 20, 16 << 10);
  }

  /**
   * Changes whether misuse is found.
   *
   * @param detects whether the allocator says when it is handed an address that is no live block
   * @return options with that
   */
  public ProgramOptions detectingMisuse(boolean detects) {
    return new ProgramOptions(detects, alone, mostBlocks, mostBytes, mostSize, fullCanaryBytes);
  }

  /**
   * Turns these into options for one of several programs on one allocator. Misuse is left out,
   * since a block that is freed twice might be another program's by then.
   *
   * @return options for a program that is not alone
   */
  public ProgramOptions besideOthers() {
    return new ProgramOptions(false, false, mostBlocks, mostBytes, mostSize, fullCanaryBytes);
  }
}
