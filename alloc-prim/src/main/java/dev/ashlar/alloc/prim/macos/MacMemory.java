// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.macos;

import static dev.ashlar.alloc.prim.macos.MacConstants.MADV_FREE_REUSABLE;
import static dev.ashlar.alloc.prim.macos.MacConstants.MADV_FREE_REUSE;
import static dev.ashlar.alloc.prim.macos.MacConstants.MAP_ANON;
import static dev.ashlar.alloc.prim.macos.MacConstants.MAP_FIXED;
import static dev.ashlar.alloc.prim.macos.MacConstants.MAP_NORESERVE;
import static dev.ashlar.alloc.prim.macos.MacConstants.MAP_PRIVATE;
import static dev.ashlar.alloc.prim.macos.MacConstants.PROT_NONE;
import static dev.ashlar.alloc.prim.macos.MacConstants.PROT_READ;
import static dev.ashlar.alloc.prim.macos.MacConstants.PROT_WRITE;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.Entropy;
import dev.ashlar.alloc.prim.Fallbacks;
import dev.ashlar.alloc.prim.Ranges;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of macOS.
 *
 * <p>Advice neither zeroes pages nor takes them at once, so decommitting maps the range anew in
 * place, with access: a stray access afterwards sees zeros instead of ending the JVM. Resetting is
 * advice: the pages stop counting for the process at once, and count again only when the system is
 * told that they are reused, as committing does.
 */
public final class MacMemory implements VirtualMemory {

  private static final int ANONYMOUS = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE;

  private final MacCalls calls;
  private final long osPageBytes;
  private final AtomicLong ordinaryPageBytes = new AtomicLong();
  private final AtomicLong refusedNodes = new AtomicLong();

  /**
   * Makes the binding.
   *
   * @param calls the system's calls
   */
  public MacMemory(MacCalls calls) {
    this.calls = calls;
    this.osPageBytes = calls.osPageBytes();
  }

  @Override
  public long reserve(long bytes, long alignment, Access access) {
    Ranges.checkReservation(bytes, alignment, access, osPageBytes);
    // The kernel aligns to its own page only: map enough for an aligned range and cut the rest off.
    long slack = alignment - osPageBytes;
    long mapped = calls.mmap(0, bytes + slack, protection(access), ANONYMOUS);
    long address = (mapped + slack) & -alignment;
    if (address > mapped) {
      calls.munmap(mapped, address - mapped);
    }
    long after = mapped + slack - address;
    if (after > 0) {
      calls.munmap(address + bytes, after);
    }
    return address;
  }

  @Override
  public void release(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.munmap(address, bytes);
  }

  @Override
  public void commit(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.mprotect(address, bytes, PROT_READ | PROT_WRITE);
    try {
      calls.madvise(address, bytes, MADV_FREE_REUSE);
    } catch (VirtualMemoryException e) {
      // Nothing of it was reset: there is nothing to count again.
    }
  }

  @Override
  public void decommit(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.mmap(address, bytes, PROT_READ | PROT_WRITE, ANONYMOUS | MAP_FIXED);
  }

  @Override
  public void reset(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
    calls.madvise(address, bytes, MADV_FREE_REUSABLE);
  }

  @Override
  public void protect(long address, long bytes, Access access) {
    Ranges.check(address, bytes, osPageBytes);
    calls.mprotect(address, bytes, protection(access));
  }

  private static int protection(Access access) {
    return switch (access) {
      case NONE -> PROT_NONE;
      case READ -> PROT_READ;
      case READ_WRITE -> PROT_READ | PROT_WRITE;
    };
  }

  /** Commits ordinary pages: there are no others on AArch64. */
  @Override
  public void commitLarge(long address, long bytes) {
    commit(address, bytes);
    ordinaryPageBytes.addAndGet(bytes);
  }

  /** Is refused: all memory is equally near. */
  @Override
  public void preferNode(long address, long bytes, int node) {
    Ranges.check(address, bytes, osPageBytes);
    Ranges.checkNode(node);
    refusedNodes.incrementAndGet();
  }

  @Override
  public void populate(long address, long bytes) {
    Ranges.check(address, bytes, osPageBytes);
  }

  @Override
  public Fallbacks fallbacks() {
    return new Fallbacks(ordinaryPageBytes.get(), refusedNodes.get());
  }

  @Override
  public long osPageBytes() {
    return osPageBytes;
  }

  @Override
  public long physicalMemoryBytes() {
    return calls.physicalMemoryBytes();
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(true, true, true, true, true, false);
  }

  @Override
  public Entropy entropy() {
    return this::fill;
  }

  private void fill(byte[] bytes) {
    for (int done = 0; done < bytes.length; ) {
      byte[] part = new byte[Math.min(bytes.length - done, MacConstants.MOST_ENTROPY_BYTES)];
      calls.getentropy(part);
      System.arraycopy(part, 0, bytes, done, part.length);
      Arrays.fill(part, (byte) 0);
      done += part.length;
    }
  }

  @Override
  public Clock clock() {
    return System::nanoTime;
  }

  @Override
  public ProcessMemory processMemory() {
    MacCalls.Counters counters = calls.taskCounters();
    return new ProcessMemory(
        counters.residentBytes(),
        counters.peakResidentBytes(),
        counters.footprintBytes(),
        usableMemoryBytes());
  }
}
