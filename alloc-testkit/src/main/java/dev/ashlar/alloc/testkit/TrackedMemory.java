// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.Ranges;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;

/**
 * An operating system that remembers the state of each page and insists on the contract of {@link
 * VirtualMemory}, also where the real one is lenient: what is no range of its OS pages is an {@link
 * IllegalArgumentException}, as from any binding; what is used in the wrong state is an {@link
 * AssertionError}.
 */
abstract class TrackedMemory extends ForwardingMemory implements MemoryModel {

  /** What a page can be besides reserved. */
  private enum State {
    COMMITTED,
    PROTECTED,
    RESET
  }

  private final RangeMap<State> states = new RangeMap<>();

  TrackedMemory(VirtualMemory real) {
    super(real);
  }

  /**
   * Asks whether a range may be committed.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @param more how many bytes of it are not committed yet
   * @throws VirtualMemoryException if it is refused
   */
  void admitCommit(long address, long bytes, long more) {}

  /**
   * Takes note of a range that is committed no more.
   *
   * @param bytes how many bytes of it were
   */
  void leaveCommit(long bytes) {}

  private long committedBytes(long address, long bytes) {
    long sum = 0;
    for (RangeMap.Run<State> part : states.parts(address, address + bytes)) {
      sum += part.value() == null ? 0 : part.bytes();
    }
    return sum;
  }

  @Override
  public long reserve(long bytes, long alignment, Access access) {
    Ranges.checkReservation(bytes, alignment, access, osPageBytes());
    return super.reserve(bytes, alignment, access);
  }

  @Override
  public void preferNode(long address, long bytes, int node) {
    Ranges.check(address, bytes, osPageBytes());
    super.preferNode(address, bytes, node);
  }

  @Override
  public void populate(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes());
    super.populate(address, bytes);
  }

  @Override
  public synchronized void release(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes());
    long committed = committedBytes(address, bytes);
    super.release(address, bytes);
    states.clear(address, address + bytes);
    leaveCommit(committed);
  }

  @Override
  public synchronized void commit(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes());
    commit(address, bytes, () -> super.commit(address, bytes));
  }

  @Override
  public synchronized void commitLarge(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes());
    require(committedBytes(address, bytes) == 0, "committed before it gets large pages", address);
    commit(address, bytes, () -> super.commitLarge(address, bytes));
  }

  private void commit(long address, long bytes, Runnable call) {
    long more = bytes - committedBytes(address, bytes);
    admitCommit(address, bytes, more);
    try {
      call.run();
    } catch (RuntimeException e) {
      leaveCommit(more);
      throw e;
    }
    states.put(address, address + bytes, State.COMMITTED);
  }

  @Override
  public synchronized long reserveLarge(long bytes, long alignment) {
    long address = reserve(bytes, alignment, Access.NONE);
    try {
      commitLarge(address, bytes);
    } catch (VirtualMemoryException e) {
      release(address, bytes);
      throw e;
    }
    return address;
  }

  @Override
  public synchronized void decommit(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes());
    requireNot(State.PROTECTED, "decommitted while it is protected", address, bytes);
    long committed = committedBytes(address, bytes);
    super.decommit(address, bytes);
    states.clear(address, address + bytes);
    leaveCommit(committed);
  }

  @Override
  public synchronized void reset(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes());
    requireNot(null, "reset, but not committed", address, bytes);
    requireNot(State.PROTECTED, "reset while it is protected", address, bytes);
    super.reset(address, bytes);
    states.put(address, address + bytes, State.RESET);
  }

  @Override
  public synchronized void protect(long address, long bytes, Access access) {
    Ranges.check(address, bytes, osPageBytes());
    requireNot(null, "protected, but not committed", address, bytes);
    requireNot(State.RESET, "protected, but reset", address, bytes);
    super.protect(address, bytes, access);
    states.put(
        address, address + bytes, access == Access.READ_WRITE ? State.COMMITTED : State.PROTECTED);
  }

  @Override
  public synchronized void remap(long from, long to, long bytes) {
    Ranges.checkDisjoint(from, to, bytes, osPageBytes());
    requireCommitted("remapped", from, bytes);
    require(committedBytes(to, bytes) == 0, "remapped to, but in use", to);
    super.remap(from, to, bytes);
    states.clear(from, from + bytes);
    states.put(to, to + bytes, State.COMMITTED);
  }

  private void requireCommitted(String what, long address, long bytes) {
    requireNot(null, what + ", but not committed", address, bytes);
    requireNot(State.PROTECTED, what + ", but protected", address, bytes);
    requireNot(State.RESET, what + ", but reset", address, bytes);
  }

  private void requireNot(State state, String fault, long address, long bytes) {
    for (RangeMap.Run<State> part : states.parts(address, address + bytes)) {
      require(part.value() != state, fault, part.from());
    }
  }

  private static void require(boolean condition, String fault, long address) {
    if (!condition) {
      throw new AssertionError("%#x is %s".formatted(address, fault));
    }
  }

  @Override
  public synchronized void requireUsable(long address, long bytes) {
    requireCommitted("handed out", address, bytes);
  }
}
