// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.Entropy;
import dev.ashlar.alloc.prim.Fallbacks;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * An operating system that refuses the calls it is told to, counts all, and accepts only ranges
 * that are possible: of whole OS pages, not empty, and without an end beyond the last address.
 *
 * <p>It counts from its making, or from the last {@link #refuse}. A refused call reaches no real
 * memory. Safe for use by many threads at once.
 */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public final class FaultyMemory implements VirtualMemory {

  /** The calls that can be refused. */
  public enum Call {
    /** {@link VirtualMemory#reserve} and {@link VirtualMemory#reserveLarge}. */
    RESERVE,
    /** {@link VirtualMemory#release}. */
    RELEASE,
    /** {@link VirtualMemory#commit} and {@link VirtualMemory#commitLarge}. */
    COMMIT,
    /** {@link VirtualMemory#decommit}. */
    DECOMMIT,
    /** {@link VirtualMemory#reset}. */
    RESET,
    /** {@link VirtualMemory#protect}. */
    PROTECT,
    /** {@link VirtualMemory#remap}. */
    REMAP
  }

  /**
   * A call that was made.
   *
   * @param call which
   * @param address the beginning of its range, 0 for a reservation
   * @param bytes the size of its range
   * @param refused whether it was refused here
   */
  public record Made(Call call, long address, long bytes, boolean refused) {}

  private final VirtualMemory real;
  private final Clock clock;
  private final List<Made> made = new ArrayList<>();
  private Predicate<Made> refusal = call -> false;
  private long refused;

  /**
   * Makes an operating system that refuses nothing yet.
   *
   * @param real what carries out the calls
   */
  public FaultyMemory(VirtualMemory real) {
    this(real, real.clock());
  }

  /**
   * Makes an operating system with another clock that refuses nothing yet.
   *
   * @param real what carries out the calls
   * @param clock its clock
   */
  public FaultyMemory(VirtualMemory real, Clock clock) {
    this.real = real;
    this.clock = clock;
  }

  /**
   * Refuses one call, counted from now on.
   *
   * @param calls which kinds count
   * @param number which of them is refused, from 1 on
   */
  public void refuse(Set<Call> calls, long number) {
    refuse(calls, number, number);
  }

  /**
   * Refuses every call of some kinds from now on, until {@link #allow}.
   *
   * @param calls which kinds
   */
  public void refuseAll(Set<Call> calls) {
    refuse(calls, 1, Long.MAX_VALUE);
  }

  /**
   * Refuses calls, counted from now on.
   *
   * @param calls which kinds count
   * @param first the first that is refused, from 1 on
   * @param last the last that is refused
   */
  public synchronized void refuse(Set<Call> calls, long first, long last) {
    Set<Call> counted = EnumSet.copyOf(calls);
    long[] count = new long[1];
    refused = 0;
    refusal = call -> counted.contains(call.call()) && ++count[0] >= first && count[0] <= last;
  }

  /**
   * Refuses reservations that are too large, until {@link #allow}.
   *
   * @param bytes the greatest size that is still given
   */
  public synchronized void refuseReservationsAbove(long bytes) {
    refused = 0;
    refusal = call -> call.call() == Call.RESERVE && call.bytes() > bytes;
  }

  /** Refuses nothing more. */
  public synchronized void allow() {
    refusal = call -> false;
  }

  /**
   * Returns how many calls were refused since the last time refusals were asked for.
   *
   * @return their number
   */
  public synchronized long refused() {
    return refused;
  }

  /**
   * Returns how many calls of a kind were made, refused ones included.
   *
   * @param call the kind
   * @return their number
   */
  public synchronized long count(Call call) {
    return made.stream().filter(one -> one.call() == call).count();
  }

  /**
   * Returns every call that was made, refused ones included.
   *
   * @return the calls in the order they began
   */
  public synchronized List<Made> made() {
    return List.copyOf(made);
  }

  private synchronized void admit(Call call, long address, long bytes) {
    long page = real.osPageBytes();
    if (bytes <= 0
        || bytes % page != 0
        || address < 0
        || address % page != 0
        || address > Long.MAX_VALUE - bytes) {
      throw new AssertionError(
          "%s of %d bytes at %#x is no range of OS pages of %d bytes"
              .formatted(call, bytes, address, page));
    }
    boolean refuses = refusal.test(new Made(call, address, bytes, false));
    made.add(new Made(call, address, bytes, refuses));
    if (refuses) {
      refused++;
      throw new VirtualMemoryException("refused " + call, address, bytes, "ENOMEM");
    }
  }

  private void admitReservation(long bytes, long alignment) {
    if (Long.bitCount(alignment) != 1 || alignment < real.osPageBytes()) {
      throw new AssertionError("a reservation aligned to " + alignment);
    }
    admit(Call.RESERVE, 0, bytes);
  }

  @Override
  public long reserve(long bytes, long alignment, Access access) {
    admitReservation(bytes, alignment);
    return real.reserve(bytes, alignment, access);
  }

  @Override
  public void release(long address, long bytes) {
    admit(Call.RELEASE, address, bytes);
    real.release(address, bytes);
  }

  @Override
  public void commit(long address, long bytes) {
    admit(Call.COMMIT, address, bytes);
    real.commit(address, bytes);
  }

  @Override
  public void decommit(long address, long bytes) {
    admit(Call.DECOMMIT, address, bytes);
    real.decommit(address, bytes);
  }

  @Override
  public void protect(long address, long bytes, Access access) {
    admit(Call.PROTECT, address, bytes);
    real.protect(address, bytes, access);
  }

  @Override
  public void reset(long address, long bytes) {
    admit(Call.RESET, address, bytes);
    real.reset(address, bytes);
  }

  @Override
  public void remap(long from, long to, long bytes) {
    admit(Call.REMAP, from, bytes);
    real.remap(from, to, bytes);
  }

  @Override
  public long reserveLarge(long bytes, long alignment) {
    admitReservation(bytes, alignment);
    return real.reserveLarge(bytes, alignment);
  }

  @Override
  public void commitLarge(long address, long bytes) {
    admit(Call.COMMIT, address, bytes);
    real.commitLarge(address, bytes);
  }

  @Override
  public void preferNode(long address, long bytes, int node) {
    real.preferNode(address, bytes, node);
  }

  @Override
  public void populate(long address, long bytes) {
    real.populate(address, bytes);
  }

  @Override
  public Fallbacks fallbacks() {
    return real.fallbacks();
  }

  @Override
  public long allocationGranularityBytes() {
    return real.allocationGranularityBytes();
  }

  @Override
  public long largePageBytes() {
    return real.largePageBytes();
  }

  @Override
  public long usableMemoryBytes() {
    return real.usableMemoryBytes();
  }

  @Override
  public long osPageBytes() {
    return real.osPageBytes();
  }

  @Override
  public long physicalMemoryBytes() {
    return real.physicalMemoryBytes();
  }

  @Override
  public Capabilities capabilities() {
    return real.capabilities();
  }

  @Override
  public Entropy entropy() {
    return real.entropy();
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public ProcessMemory processMemory() {
    return real.processMemory();
  }
}
