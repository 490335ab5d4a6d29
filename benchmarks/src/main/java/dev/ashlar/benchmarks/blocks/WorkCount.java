// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

/** Counts what is done, as the C program does. For one thread. */
public final class WorkCount {

  private static final int ALLOCATE = 1;
  private static final int FREE = 2;
  private static final int RESIZE = 3;

  private long allocated;
  private long allocatedBytes;
  private long freed;
  private long resized;
  private long checksum;

  /** Counts a new block. */
  public void allocate(long size) {
    allocated++;
    allocatedBytes += size;
    checksum += mixed(size, ALLOCATE);
  }

  /** Counts the end of a block in which this size was written. */
  public void free(long size) {
    freed++;
    checksum += mixed(size, FREE);
  }

  /** Counts a change of size. */
  public void resize(long oldSize, long newSize) {
    resized++;
    allocatedBytes += newSize - oldSize;
    checksum += mixed(newSize, RESIZE);
  }

  /** Adds what another has counted. */
  public void add(WorkCount other) {
    allocated += other.allocated;
    allocatedBytes += other.allocatedBytes;
    freed += other.freed;
    resized += other.resized;
    checksum += other.checksum;
  }

  /** What was counted so far. */
  public WorkDone done() {
    return new WorkDone(allocated, allocatedBytes, freed, resized, checksum);
  }

  /** Two sizes swapped for two others of the same sum do not go unnoticed. */
  private static long mixed(long size, int kind) {
    long x = (size * 4 + kind) * 0x9E3779B97F4A7C15L;
    x = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
    return x ^ (x >>> 32);
  }
}
