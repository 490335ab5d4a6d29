// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The C library's memory functions, all called through one adapter.
 *
 * <p>Making an adapter is most of what starting an allocator costs, and the linker makes one for
 * each combination of types. All functions here take at most six integers or pointers and return
 * one, so all are called as if they took six longs and returned one. The System V ABI of x86-64 and
 * the procedure call standard of AArch64 both pass each of those in a register of its own: a
 * function reads the low bits it declares, and none of the registers it does not know of. Of a
 * returned {@code int} only the low half counts.
 *
 * <p>The adapter leaves {@code errno} alone, which takes another one, made when there is a first
 * error: the failed call is then made again.
 */
@SuppressWarnings("restricted") // linking is restricted; this package is where it belongs
final class LinuxCalls {

  private static final Linker LINKER = Linker.nativeLinker();
  private static final FunctionDescriptor TYPE =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle CALL = LINKER.downcallHandle(TYPE);

  private static final MemorySegment MMAP = function("mmap");
  private static final MemorySegment MUNMAP = function("munmap");
  private static final MemorySegment MPROTECT = function("mprotect");
  private static final MemorySegment MADVISE = function("madvise");
  private static final MemorySegment SYSCONF = function("sysconf");
  private static final MemorySegment GETRANDOM = function("getrandom");

  private LinuxCalls() {}

  /** The adapter that also tells {@code errno}. */
  private static final class Telling {

    static final MethodHandle CALL =
        LINKER.downcallHandle(TYPE, Linker.Option.captureCallState("errno"));
    static final VarHandle ERRNO =
        Linker.Option.captureStateLayout()
            .varHandle(MemoryLayout.PathElement.groupElement("errno"));
  }

  private static MemorySegment function(String name) {
    return LINKER.defaultLookup().findOrThrow(name);
  }

  private static long call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) CALL.invokeExact(function, a, b, c, d, e, f);
    } catch (Throwable t) {
      throw unchecked(t);
    }
  }

  /** Calls a function that returns an int. */
  private static int call(MemorySegment function, long a, long b, long c) {
    return (int) call(function, a, b, c, 0, 0, 0);
  }

  /**
   * Makes a failed call again, with the numbers it had.
   *
   * @param error where the error number goes
   */
  private static long again(
      int[] error, MemorySegment function, long a, long b, long c, long d, long e, long f) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      long result = (long) Telling.CALL.invokeExact(function, state, a, b, c, d, e, f);
      error[0] = (int) Telling.ERRNO.get(state, 0L);
      return result;
    } catch (Throwable t) {
      throw unchecked(t);
    }
  }

  /** Makes a failed call of a function again that returns 0 if it succeeds. */
  private static void again(String name, MemorySegment function, long address, long bytes, long c) {
    int[] error = new int[1];
    if ((int) again(error, function, address, bytes, c, 0, 0, 0) != 0) {
      throw failure(name, address, bytes, error[0]);
    }
  }

  /** Maps anonymous private memory anywhere; returns its address. */
  static long mmap(long bytes, int protection, int flags) {
    long address = call(MMAP, 0, bytes, protection, flags, -1, 0);
    if (address == LinuxConstants.MAP_FAILED) {
      int[] error = new int[1];
      address = again(error, MMAP, 0, bytes, protection, flags, -1, 0);
      if (address == LinuxConstants.MAP_FAILED) {
        throw failure("mmap", 0, bytes, error[0]);
      }
    }
    return address;
  }

  static void munmap(long address, long bytes) {
    if (call(MUNMAP, address, bytes, 0) != 0) {
      again("munmap", MUNMAP, address, bytes, 0);
    }
  }

  static void mprotect(long address, long bytes, int protection) {
    if (call(MPROTECT, address, bytes, protection) != 0) {
      again("mprotect", MPROTECT, address, bytes, protection);
    }
  }

  static void madvise(long address, long bytes, int advice) {
    if (call(MADVISE, address, bytes, advice) != 0) {
      again("madvise", MADVISE, address, bytes, advice);
    }
  }

  static long sysconf(int name) {
    long value = call(SYSCONF, name, 0, 0, 0, 0, 0);
    if (value < 0) {
      throw failure("sysconf(" + name + ")", 0, 0, 0); // without an error: there is no such value
    }
    return value;
  }

  /** Fills an array with random bytes, going on after a short count or an interrupting signal. */
  static void getrandom(byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.max(bytes.length, 1));
      int[] error = new int[1];
      long done = 0;
      while (done < bytes.length) {
        long at = buffer.address() + done;
        long count = call(GETRANDOM, at, bytes.length - done, 0, 0, 0, 0);
        if (count < 0) {
          count = again(error, GETRANDOM, at, bytes.length - done, 0, 0, 0, 0);
        }
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

  /** Lets unchecked throwables through; a method handle of C declares no other. */
  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof RuntimeException exception) {
      return exception;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(e);
  }
}
