// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/**
 * One block and what its canary says of it.
 *
 * @param address where it begins
 * @param size the size that was asked for, in bytes
 * @param alignment the alignment that was asked for, in bytes
 * @param worker the worker that allocated it
 * @param serial a number that tells the blocks of a worker apart
 * @param full whether the canary covers every byte, not only the ends
 * @param thread the id of the thread that allocated it
 */
record StressBlock(
    long address, long size, long alignment, int worker, int serial, boolean full, long thread) {

  @Override
  public String toString() {
    return "the block of "
        + size
        + " bytes at 0x"
        + Long.toHexString(address)
        + " of worker "
        + worker;
  }
}
