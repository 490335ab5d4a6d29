// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

import dev.ashlar.benchmarks.adapters.AddressAdapter;
import dev.ashlar.benchmarks.adapters.RawAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Blocks that are addresses. */
@SuppressWarnings("ArrayRecordComponent") // records fold, and nobody compares these
record AddressBlocks(AddressAdapter adapter, long[] table) implements Blocks {

  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

  static AddressBlocks over(AddressAdapter adapter, int slots) {
    return new AddressBlocks(adapter, new long[slots]);
  }

  @Override
  public void pair(long size, long tag) {
    adapter.free(stamped(adapter.allocate(size), size, tag));
  }

  @Override
  public void zeroedPair(long size, long tag) {
    adapter.free(stamped(adapter.allocateZeroed(size), size, tag));
  }

  @Override
  public void put(int slot, long size, long tag) {
    table[slot] = stamped(adapter.allocate(size), size, tag);
  }

  @Override
  public void free(int slot) {
    adapter.free(table[slot]);
  }

  @Override
  public void swap(int slot, long size, long tag) {
    long fresh = stamped(adapter.allocate(size), size, tag);
    adapter.free((long) ELEMENT.getAndSet(table, slot, fresh));
  }

  @Override
  public void resize(int slot, long oldSize, long newSize) {
    table[slot] = checked(adapter.reallocate(table[slot], newSize));
  }

  @Override
  public void putByte(int slot, long offset, byte value) {
    RawAccess.putByte(table[slot] + offset, value);
  }

  @Override
  public void putLong(int slot, long offset, long value) {
    RawAccess.putLong(table[slot] + offset, value);
  }

  @Override
  public long getLong(int slot, long offset) {
    return RawAccess.getLong(table[slot] + offset);
  }

  @Override
  public void enterThread() {
    adapter.enterThread();
  }

  @Override
  public void leaveThread() {
    adapter.leaveThread();
  }

  private static long stamped(long address, long size, long tag) {
    checked(address);
    RawAccess.putLong(address, size);
    RawAccess.putLong(address + Long.BYTES, tag);
    return address;
  }

  private static long checked(long address) {
    if (address == 0) {
      throw new OutOfMemoryError("the allocator has no memory left");
    }
    return address;
  }
}
