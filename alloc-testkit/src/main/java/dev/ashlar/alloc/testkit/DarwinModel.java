// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static dev.ashlar.alloc.prim.macos.MacConstants.MADV_FREE_REUSABLE;
import static dev.ashlar.alloc.prim.macos.MacConstants.MADV_FREE_REUSE;
import static dev.ashlar.alloc.prim.macos.MacConstants.MAP_ANON;
import static dev.ashlar.alloc.prim.macos.MacConstants.MAP_FIXED;
import static dev.ashlar.alloc.prim.macos.MacConstants.MAP_PRIVATE;
import static dev.ashlar.alloc.prim.macos.MacConstants.PROT_NONE;
import static dev.ashlar.alloc.prim.macos.MacConstants.PROT_READ;
import static dev.ashlar.alloc.prim.macos.MacConstants.PROT_WRITE;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import dev.ashlar.alloc.prim.macos.MacCalls;
import dev.ashlar.alloc.prim.macos.MacConstants;

/**
 * macOS's rules over the memory of another operating system: the calls of its binding, not the
 * binding, so that the binding itself is tried as well.
 *
 * <p>Pages are of 16 KiB. Advice zeroes nothing: of the pages that are advised to be reusable,
 * every other one is taken, the rest keeps its contents. Safe for use by many threads at once.
 */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public final class DarwinModel implements MacCalls, MemoryModel, AutoCloseable {

  private static final long PAGE = 16_384;
  private static final int READ_WRITE = PROT_READ | PROT_WRITE;

  /**
   * Marks a mapping that was made for what it is, not committed: it may be writable all the same.
   */
  private static final int NEW = 0x100;

  private final VirtualMemory real;
  private final ModelSpace space;
  private final RangeMap<Integer> mapped = new RangeMap<>();
  private final RangeMap<Boolean> reusable = new RangeMap<>();

  /**
   * Makes a system in which nothing is mapped.
   *
   * @param real whose memory it uses
   */
  public DarwinModel(VirtualMemory real) {
    this.real = real;
    this.space = new ModelSpace(real, PAGE);
  }

  @Override
  public synchronized long mmap(long address, long bytes, int protection, int flags) {
    require(
        (flags & MAP_PRIVATE) != 0 && (flags & MAP_ANON) != 0 && bytes > 0 && bytes % PAGE == 0,
        "mmap of %d bytes with flags %#x",
        bytes,
        flags);
    long at = address;
    if ((flags & MAP_FIXED) == 0) {
      at = space.take(bytes, PAGE);
      if (at == ModelSpace.NO_ROOM) {
        throw new VirtualMemoryException("mmap", 0, bytes, MacConstants.errorName(12));
      }
    } else {
      requireMapped("mmap in place", address, bytes);
      space.empty(address, bytes);
    }
    reusable.clear(at, at + bytes);
    protect(at, bytes, protection);
    mapped.put(at, at + bytes, protection | NEW);
    return at;
  }

  @Override
  public synchronized void munmap(long address, long bytes) {
    requireMapped("munmap", address, bytes);
    space.give(address, bytes);
    mapped.clear(address, address + bytes);
    reusable.clear(address, address + bytes);
  }

  @Override
  public synchronized void mprotect(long address, long bytes, int protection) {
    requireMapped("mprotect", address, bytes);
    protect(address, bytes, protection);
  }

  private void protect(long address, long bytes, int protection) {
    real.protect(
        address,
        bytes,
        switch (protection) {
          case PROT_NONE -> Access.NONE;
          case PROT_READ -> Access.READ;
          case READ_WRITE -> Access.READ_WRITE;
          default -> throw new AssertionError("protection " + protection);
        });
    mapped.put(address, address + bytes, protection);
  }

  @Override
  public synchronized void madvise(long address, long bytes, int advice) {
    requireMapped("madvise", address, bytes);
    switch (advice) {
      case MADV_FREE_REUSABLE -> {
        for (RangeMap.Run<Integer> part : mapped.parts(address, address + bytes)) {
          require(
              (part.value() & READ_WRITE) == READ_WRITE,
              "%#x is not writable: advised",
              part.from());
        }
        for (long page = address; page < address + bytes; page += PAGE) {
          if ((page / PAGE & 1) != 0) {
            real.decommit(page, PAGE);
          }
        }
        reusable.put(address, address + bytes, true);
      }
      case MADV_FREE_REUSE -> reusable.clear(address, address + bytes);
      default -> throw new AssertionError("advice " + advice);
    }
  }

  private void requireMapped(String call, long address, long bytes) {
    require(
        bytes > 0 && bytes % PAGE == 0 && address % PAGE == 0 && space.contains(address, bytes),
        "%s of %d bytes at %#x",
        call,
        bytes,
        address);
  }

  @Override
  public synchronized void requireUsable(long address, long bytes) {
    for (RangeMap.Run<Integer> part : mapped.parts(address, address + bytes)) {
      require(part.value() != null, "%#x is handed out, but is not mapped", part.from());
      require(part.value() == READ_WRITE, "%#x is handed out, but not committed", part.from());
    }
    for (RangeMap.Run<Boolean> part : reusable.parts(address, address + bytes)) {
      require(part.value() == null, "%#x is handed out, but may be taken", part.from());
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
  private static void require(boolean condition, String message, Object... arguments) {
    if (!condition) {
      throw new AssertionError(message.formatted(arguments));
    }
  }

  @Override
  public long osPageBytes() {
    return PAGE;
  }

  @Override
  public long physicalMemoryBytes() {
    return real.physicalMemoryBytes();
  }

  @Override
  public Counters taskCounters() {
    ProcessMemory process = real.processMemory();
    return new Counters(
        process.residentBytes(), process.peakResidentBytes(), process.residentBytes());
  }

  @Override
  public void getentropy(byte[] bytes) {
    require(
        bytes.length <= MacConstants.MOST_ENTROPY_BYTES, "getentropy of %d bytes", bytes.length);
    real.entropy().fill(bytes);
  }

  /** Gives the address space back. Nothing of it may be used any more. */
  @Override
  public void close() {
    space.close();
  }
}
