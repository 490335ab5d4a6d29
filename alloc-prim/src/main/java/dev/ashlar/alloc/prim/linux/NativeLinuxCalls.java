// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import static dev.ashlar.alloc.prim.call.NativeCalls.again;
import static dev.ashlar.alloc.prim.call.NativeCalls.call;
import static dev.ashlar.alloc.prim.call.NativeCalls.callSeven;
import static dev.ashlar.alloc.prim.call.NativeCalls.function;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The C library's functions. */
final class NativeLinuxCalls implements LinuxCalls {

  private static final MemorySegment MMAP = function("mmap");
  private static final MemorySegment MUNMAP = function("munmap");
  private static final MemorySegment MPROTECT = function("mprotect");
  private static final MemorySegment MADVISE = function("madvise");
  private static final MemorySegment SYSCONF = function("sysconf");

  @Override
  public long mmap(long address, long bytes, int protection, int flags) {
    long mapped = call(MMAP, address, bytes, protection, flags, -1, 0);
    if (mapped == LinuxConstants.MAP_FAILED) {
      int[] error = new int[1];
      mapped = again(error, MMAP, address, bytes, protection, flags, -1, 0);
      if (mapped == LinuxConstants.MAP_FAILED) {
        throw failure("mmap", address, bytes, error[0]);
      }
    }
    return mapped;
  }

  @Override
  public void munmap(long address, long bytes) {
    rangeCall("munmap", MUNMAP, address, bytes, 0);
  }

  @Override
  public void mprotect(long address, long bytes, int protection) {
    rangeCall("mprotect", MPROTECT, address, bytes, protection);
  }

  @Override
  public void madvise(long address, long bytes, int advice) {
    rangeCall("madvise", MADVISE, address, bytes, advice);
  }

  /** Calls a function of a range that returns 0 if it succeeds. */
  private static void rangeCall(
      String name, MemorySegment function, long address, long bytes, long c) {
    if ((int) call(function, address, bytes, c) != 0) {
      int[] error = new int[1];
      if ((int) again(error, function, address, bytes, c, 0, 0, 0) != 0) {
        throw failure(name, address, bytes, error[0]);
      }
    }
  }

  @Override
  public void mremap(long address, long bytes, int flags, long newAddress) {
    int[] error = new int[1];
    if (again(error, function("mremap"), address, bytes, bytes, flags, newAddress, 0)
        == LinuxConstants.MAP_FAILED) {
      throw failure("mremap", address, bytes, error[0]);
    }
  }

  @Override
  public void mbind(long address, long bytes, int mode, long nodes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocateFrom(JAVA_LONG, nodes);
      int[] error = new int[1];
      // The kernel takes one off the number of bits that it is told.
      long result =
          callSeven(
              error,
              function("syscall"),
              LinuxConstants.mbindNumber(System.getProperty("os.arch")),
              address,
              bytes,
              mode,
              mask.address(),
              Long.SIZE + 1,
              0);
      if (result != 0) {
        throw failure("mbind", address, bytes, error[0]);
      }
    }
  }

  @Override
  public long sysconf(int name) {
    long value = call(SYSCONF, name, 0, 0);
    if (value < 0) {
      int[] error = new int[1];
      value = again(error, SYSCONF, name, 0, 0, 0, 0, 0);
      if (value < 0) {
        throw failure("sysconf(" + name + ")", 0, 0, error[0]);
      }
    }
    return value;
  }

  /** Goes on after a short count or an interrupting signal. */
  @Override
  public void getrandom(byte[] bytes) {
    MemorySegment function = function("getrandom");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.max(bytes.length, 1));
      int[] error = new int[1];
      long done = 0;
      while (done < bytes.length) {
        long at = buffer.address() + done;
        long count = again(error, function, at, bytes.length - done, 0, 0, 0, 0);
        if (count >= 0) {
          done += count;
        } else if (error[0] != LinuxConstants.EINTR) {
          throw failure("getrandom", 0, bytes.length, error[0]);
        }
      }
      MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, 0, bytes.length);
    }
  }

  private static VirtualMemoryException failure(
      String operation, long address, long bytes, int error) {
    return new VirtualMemoryException(operation, address, bytes, LinuxConstants.errorName(error));
  }
}
