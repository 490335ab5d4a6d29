// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

/**
 * Watches over another table that a workload runs on: each block must still hold what was written
 * to it when it is freed, moved or exchanged, and everything is counted. It is used after
 * measuring, for a small piece of each workload, by one thread at a time.
 *
 * <p>An allocator that gives a block to two users, loses its contents or does not do what it was
 * asked is caught here; the counts tell that every allocator did the same work.
 */
public final class WitnessBlocks implements Blocks {

  private final Blocks watched;
  private final int spareSlot;
  private final long[] sizes;
  private final long[] tags;
  private final boolean contents;
  private final WorkCount count = new WorkCount();

  /**
   * Makes a witness.
   *
   * @param watched the table
   * @param slots how many slots of it are used; it has one more, which is the witness's own
   * @param contents whether blocks keep what is written to them, and are checked for it; those of
   *     no allocator do not
   */
  public WitnessBlocks(Blocks watched, int slots, boolean contents) {
    this.watched = watched;
    this.contents = contents;
    this.spareSlot = slots;
    this.sizes = new long[slots + 1];
    this.tags = new long[slots + 1];
  }

  /** What has been done so far. */
  public synchronized WorkDone workDone() {
    return count.done();
  }

  @Override
  public synchronized void pair(long size, long tag) {
    put(spareSlot, size, tag);
    free(spareSlot);
  }

  @Override
  public synchronized void zeroedPair(long size, long tag) {
    watched.zeroedPair(size, tag);
    count.allocate(size);
    count.free(size);
  }

  @Override
  public synchronized void put(int slot, long size, long tag) {
    if (sizes[slot] != 0) {
      throw new CheckFailure("slot " + slot + " is put a block into while it has one");
    }
    watched.put(slot, size, tag);
    enter(slot, size, tag);
  }

  @Override
  public synchronized void free(int slot) {
    check(slot);
    watched.free(slot);
    leave(slot);
  }

  @Override
  public synchronized void swap(int slot, long size, long tag) {
    check(slot);
    watched.swap(slot, size, tag);
    leave(slot);
    enter(slot, size, tag);
  }

  @Override
  public synchronized void resize(int slot, long oldSize, long newSize) {
    check(slot);
    long last = oldSize >= 3 * Long.BYTES ? watched.getLong(slot, oldSize - Long.BYTES) : 0;
    watched.resize(slot, oldSize, newSize);
    check(slot);
    if (oldSize >= 3 * Long.BYTES && watched.getLong(slot, oldSize - Long.BYTES) != last) {
      throw new CheckFailure("a block of " + oldSize + " bytes lost its end when it was resized");
    }
    watched.putLong(slot, newSize - Long.BYTES, newSize);
    count.resize(oldSize, newSize);
  }

  @Override
  public synchronized void putByte(int slot, long offset, byte value) {
    watched.putByte(slot, offset, value);
  }

  @Override
  public synchronized void putLong(int slot, long offset, long value) {
    watched.putLong(slot, offset, value);
    if (offset == Long.BYTES) {
      tags[slot] = value;
    }
  }

  @Override
  public synchronized long getLong(int slot, long offset) {
    return watched.getLong(slot, offset);
  }

  @Override
  public synchronized void request(int firstSlot, int many, Xorshift random, int least, int span) {
    long state = random.state();
    watched.request(firstSlot, many, random, least, span);
    Xorshift again = new Xorshift(0);
    again.setState(state);
    for (int i = 0; i < many; i++) {
      long size = Xorshift.size(again.next(), least, span);
      count.allocate(size);
      count.free(size);
    }
    if (again.state() != random.state()) {
      throw new CheckFailure("a request did not allocate " + many + " blocks");
    }
  }

  @Override
  public void enterThread() {
    watched.enterThread();
  }

  @Override
  public void leaveThread() {
    watched.leaveThread();
  }

  private void enter(int slot, long size, long tag) {
    sizes[slot] = size;
    tags[slot] = tag;
    count.allocate(size);
    check(slot);
  }

  private void leave(int slot) {
    count.free(sizes[slot]);
    sizes[slot] = 0;
  }

  private void check(int slot) {
    if (sizes[slot] == 0) {
      throw new CheckFailure("slot " + slot + " has no block");
    }
    if (!contents) {
      return;
    }
    long size = watched.getLong(slot, 0);
    long tag = watched.getLong(slot, Long.BYTES);
    if (size != sizes[slot] || tag != tags[slot]) {
      throw new CheckFailure(
          "the block in slot %d has changed: (%d, %d) was written, (%d, %d) is there"
              .formatted(slot, sizes[slot], tags[slot], size, tag));
    }
  }
}
