// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.VirtualMemoryException;
import dev.ashlar.alloc.prim.windows.WindowsCalls;
import java.io.PrintWriter;

/**
 * Windows's calls, each written down with its arguments and its outcome, to be made again on
 * another implementation of them.
 *
 * <p>A line is a letter and hexadecimal numbers, the last of which is the outcome: {@code A} for
 * VirtualAlloc (address, bytes, type, protection, result, 0 if refused), {@code B} for
 * VirtualAlloc2 (bytes, alignment, type, protection, result), {@code F} for VirtualFree (address,
 * bytes, type, 1 or 0), {@code P} for VirtualProtect (address, bytes, protection, 1 or 0), {@code
 * Q} for the protection that VirtualQuery tells (address, protection). Lines are in the order of
 * the calls.
 */
final class RecordedWindowsCalls implements WindowsCalls {

  private final WindowsCalls calls;
  private final PrintWriter out;

  /**
   * Makes calls that are recorded.
   *
   * @param calls what carries them out
   * @param out where they are written; flushed after each line, as a process may end at any time
   */
  RecordedWindowsCalls(WindowsCalls calls, PrintWriter out) {
    this.calls = calls;
    this.out = out;
  }

  private void line(char call, long... numbers) {
    StringBuilder line = new StringBuilder().append(call);
    for (long number : numbers) {
      line.append(' ').append(Long.toHexString(number));
    }
    out.println(line);
    out.flush();
  }

  @Override
  public synchronized long virtualAlloc(long address, long bytes, int type, int protection) {
    long result = 0;
    try {
      result = calls.virtualAlloc(address, bytes, type, protection);
      return result;
    } finally {
      line('A', address, bytes, type, protection, result);
    }
  }

  @Override
  public boolean canAlign() {
    return calls.canAlign();
  }

  @Override
  public synchronized long virtualAllocAligned(
      long bytes, long alignment, int type, int protection) {
    long result = 0;
    try {
      result = calls.virtualAllocAligned(bytes, alignment, type, protection);
      return result;
    } finally {
      line('B', bytes, alignment, type, protection, result);
    }
  }

  @Override
  public synchronized void virtualFree(long address, long bytes, int type) {
    try {
      calls.virtualFree(address, bytes, type);
      line('F', address, bytes, type, 1);
    } catch (VirtualMemoryException e) {
      line('F', address, bytes, type, 0);
      throw e;
    }
  }

  @Override
  public synchronized void virtualProtect(long address, long bytes, int protection) {
    try {
      calls.virtualProtect(address, bytes, protection);
      line('P', address, bytes, protection, 1);
    } catch (VirtualMemoryException e) {
      line('P', address, bytes, protection, 0);
      throw e;
    }
  }

  @Override
  public synchronized int allocationProtection(long address) {
    int protection = calls.allocationProtection(address);
    line('Q', address, protection);
    return protection;
  }

  @Override
  public long osPageBytes() {
    return calls.osPageBytes();
  }

  @Override
  public long allocationGranularityBytes() {
    return calls.allocationGranularityBytes();
  }

  @Override
  public long largePageBytes() {
    return calls.largePageBytes();
  }

  @Override
  public long physicalMemoryBytes() {
    return calls.physicalMemoryBytes();
  }

  @Override
  public long jobLimitBytes() {
    return calls.jobLimitBytes();
  }

  @Override
  public Counters processCounters() {
    return calls.processCounters();
  }

  @Override
  public void random(byte[] bytes) {
    calls.random(bytes);
  }
}
