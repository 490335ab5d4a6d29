// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

import dev.ashlar.benchmarks.adapters.ObjectAdapter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Blocks that are objects. */
@SuppressWarnings({"ArrayRecordComponent", "unchecked"}) // the table holds what the adapter gave
record ObjectBlocks<B>(ObjectAdapter<B> adapter, Object[] table) implements Blocks {

  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Object[].class);

  static <B> ObjectBlocks<B> over(ObjectAdapter<B> adapter, int slots) {
    return new ObjectBlocks<>(adapter, new Object[slots]);
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
    adapter.free((B) table[slot]);
  }

  @Override
  public void swap(int slot, long size, long tag) {
    B fresh = stamped(adapter.allocate(size), size, tag);
    adapter.free((B) ELEMENT.getAndSet(table, slot, fresh));
  }

  @Override
  public void resize(int slot, long oldSize, long newSize) {
    table[slot] = adapter.reallocate((B) table[slot], newSize);
  }

  @Override
  public void putByte(int slot, long offset, byte value) {
    adapter.putByte((B) table[slot], offset, value);
  }

  @Override
  public void putLong(int slot, long offset, long value) {
    adapter.putLong((B) table[slot], offset, value);
  }

  @Override
  public long getLong(int slot, long offset) {
    return adapter.getLong((B) table[slot], offset);
  }

  @Override
  public void enterThread() {
    adapter.enterThread();
  }

  @Override
  public void leaveThread() {
    adapter.leaveThread();
  }

  private B stamped(B block, long size, long tag) {
    adapter.putLong(block, 0, size);
    adapter.putLong(block, Long.BYTES, tag);
    return block;
  }
}
