// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.macos;

import static dev.ashlar.alloc.prim.call.NativeCalls.again;
import static dev.ashlar.alloc.prim.call.NativeCalls.call;
import static dev.ashlar.alloc.prim.call.NativeCalls.function;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The functions of the system library. */
final class NativeMacCalls implements MacCalls {

  private static final MemorySegment MMAP = function("mmap");
  private static final MemorySegment MUNMAP = function("munmap");
  private static final MemorySegment MPROTECT = function("mprotect");
  private static final MemorySegment MADVISE = function("madvise");

  @Override
  public long mmap(long address, long bytes, int protection, int flags) {
    long mapped = call(MMAP, address, bytes, protection, flags, -1, 0);
    if (mapped == MacConstants.MAP_FAILED) {
      int[] error = new int[1];
      mapped = again(error, MMAP, address, bytes, protection, flags, -1, 0);
      if (mapped == MacConstants.MAP_FAILED) {
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
  public long osPageBytes() {
    int[] error = new int[1];
    long bytes = again(error, function("sysconf"), MacConstants.SC_PAGESIZE, 0, 0, 0, 0, 0);
    if (bytes < 0) {
      throw failure("sysconf(" + MacConstants.SC_PAGESIZE + ")", 0, 0, error[0]);
    }
    return bytes;
  }

  @Override
  public long physicalMemoryBytes() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom("hw.memsize");
      MemorySegment value = arena.allocate(JAVA_LONG);
      MemorySegment size = arena.allocateFrom(JAVA_LONG, Long.BYTES);
      int[] error = new int[1];
      long result =
          again(
              error,
              function("sysctlbyname"),
              name.address(),
              value.address(),
              size.address(),
              0,
              0,
              0);
      if ((int) result != 0) {
        throw failure("sysctlbyname(hw.memsize)", 0, 0, error[0]);
      }
      return value.get(JAVA_LONG, 0);
    }
  }

  @Override
  public Counters taskCounters() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment information =
          arena.allocate(MacConstants.TASK_VM_INFO_COUNT * (long) Integer.BYTES, Long.BYTES);
      MemorySegment count = arena.allocateFrom(JAVA_INT, MacConstants.TASK_VM_INFO_COUNT);
      // The port of this task is a variable of the system library.
      int self = (int) RawMemory.getLong(function("mach_task_self_").address());
      long result =
          call(
              function("task_info"),
              self,
              MacConstants.TASK_VM_INFO,
              information.address(),
              count.address(),
              0,
              0);
      if ((int) result != 0) {
        throw new VirtualMemoryException("task_info", 0, 0, "kern_return " + (int) result);
      }
      return new Counters(
          information.get(JAVA_LONG_UNALIGNED, MacConstants.RESIDENT_SIZE_OFFSET),
          information.get(JAVA_LONG_UNALIGNED, MacConstants.RESIDENT_SIZE_PEAK_OFFSET),
          information.get(JAVA_LONG_UNALIGNED, MacConstants.PHYS_FOOTPRINT_OFFSET));
    }
  }

  @Override
  public void getentropy(byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.max(bytes.length, 1));
      int[] error = new int[1];
      long result =
          again(error, function("getentropy"), buffer.address(), bytes.length, 0, 0, 0, 0);
      if ((int) result != 0) {
        throw failure("getentropy", 0, bytes.length, error[0]);
      }
      MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, 0, bytes.length);
    }
  }

  private static VirtualMemoryException failure(
      String operation, long address, long bytes, int error) {
    return new VirtualMemoryException(operation, address, bytes, MacConstants.errorName(error));
  }
}
