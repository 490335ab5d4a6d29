// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
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
 * The C library's memory functions, each linked on its first call: a process that never protects
 * memory does not pay for linking {@code mprotect}.
 */
@SuppressWarnings("restricted") // linking is restricted; this package is where it belongs
final class LinuxCalls {

  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO_VALUE =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private LinuxCalls() {}

  private static MethodHandle link(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, ERRNO);
  }

  private static final class Mmap {
    static final MethodHandle CALL =
        link(
            "mmap",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  }

  private static final class Munmap {
    static final MethodHandle CALL =
        link("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  }

  private static final class Mprotect {
    static final MethodHandle CALL =
        link("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  }

  private static final class Madvise {
    static final MethodHandle CALL =
        link("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  }

  private static final class Sysconf {
    static final MethodHandle CALL = link("sysconf", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
  }

  private static final class Getrandom {
    static final MethodHandle CALL =
        link("getrandom", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT));
  }

  /** Maps anonymous private memory anywhere; returns its address. */
  static long mmap(long bytes, int protection, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      long address = (long) Mmap.CALL.invokeExact(state, 0L, bytes, protection, flags, -1, 0L);
      if (address == LinuxConstants.MAP_FAILED) {
        throw failure("mmap", 0, bytes, state);
      }
      return address;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static void munmap(long address, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      if ((int) Munmap.CALL.invokeExact(state, address, bytes) != 0) {
        throw failure("munmap", address, bytes, state);
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static void mprotect(long address, long bytes, int protection) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      if ((int) Mprotect.CALL.invokeExact(state, address, bytes, protection) != 0) {
        throw failure("mprotect", address, bytes, state);
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static void madvise(long address, long bytes, int advice) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      if ((int) Madvise.CALL.invokeExact(state, address, bytes, advice) != 0) {
        throw failure("madvise", address, bytes, state);
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static long sysconf(int name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      long value = (long) Sysconf.CALL.invokeExact(state, name);
      if (value < 0) {
        throw failure("sysconf(" + name + ")", 0, 0, state);
      }
      return value;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Fills an array with random bytes, going on after a short count or an interrupting signal. */
  static void getrandom(byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      MemorySegment buffer = arena.allocate(Math.max(bytes.length, 1));
      long done = 0;
      while (done < bytes.length) {
        long count =
            (long)
                Getrandom.CALL.invokeExact(
                    state, buffer.asSlice(done), (long) bytes.length - done, 0);
        if (count >= 0) {
          done += count;
        } else if ((int) ERRNO_VALUE.get(state, 0L) != LinuxConstants.EINTR) {
          throw failure("getrandom", 0, bytes.length, state);
        }
      }
      MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, 0, bytes.length);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static VirtualMemoryException failure(
      String operation, long address, long bytes, MemorySegment state) {
    int errno = (int) ERRNO_VALUE.get(state, 0L);
    return new VirtualMemoryException(operation, address, bytes, LinuxConstants.errorName(errno));
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
