// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.call;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Functions of the operating system's libraries, all called through one adapter.
 *
 * <p>Making an adapter is most of what starting an allocator costs, and the linker makes one for
 * each combination of types. The functions called here take integers and pointers and return one,
 * so all are called as if they took six longs and returned one. The ABIs of Linux, macOS and
 * Windows on x86-64 and AArch64 pass each of those in a register or stack word of its own: a
 * function reads the low bits it declares, and none of the words it does not know of. Of a returned
 * {@code int} only the low half counts.
 *
 * <p>The adapter leaves the thread's error number alone, which takes another one, made when there
 * is a first error: the failed call is then made again. Functions with a seventh argument have an
 * adapter of their own, made when there is a first such call; it always tells the error.
 */
@SuppressWarnings("restricted") // linking is restricted; the bindings are where it belongs
public final class NativeCalls {

  private static final Linker LINKER = Linker.nativeLinker();
  private static final FunctionDescriptor TYPE =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle CALL = LINKER.downcallHandle(TYPE);

  private NativeCalls() {}

  /** The adapters that also tell the error. */
  private static final class Telling {

    private static final String STATE =
        System.getProperty("os.name").startsWith("Windows") ? "GetLastError" : "errno";
    static final MethodHandle CALL =
        LINKER.downcallHandle(TYPE, Linker.Option.captureCallState(STATE));
    static final VarHandle ERROR =
        Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement(STATE));

    /** The adapter for seven arguments. */
    private static final class Seven {

      static final MethodHandle CALL =
          LINKER.downcallHandle(
              TYPE.appendArgumentLayouts(JAVA_LONG), Linker.Option.captureCallState(STATE));
    }
  }

  /**
   * Finds a function of the C library or what else the JVM has loaded.
   *
   * @param name its name
   * @return its address
   * @throws java.util.NoSuchElementException if there is none
   */
  public static MemorySegment function(String name) {
    return LINKER.defaultLookup().findOrThrow(name);
  }

  /**
   * Opens a library of the operating system for the life of the process.
   *
   * @param library its file name
   * @return what finds its functions
   * @throws IllegalArgumentException if there is no such library
   */
  public static SymbolLookup library(String library) {
    return SymbolLookup.libraryLookup(library, Arena.global());
  }

  /**
   * Calls a function.
   *
   * @param function its address
   * @param a the first argument
   * @param b the second argument, or anything if there is none, and so on
   * @param c the third argument
   * @param d the fourth argument
   * @param e the fifth argument
   * @param f the sixth argument
   * @return what it returned
   */
  public static long call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) CALL.invokeExact(function, a, b, c, d, e, f);
    } catch (Throwable t) {
      throw unchecked(t);
    }
  }

  /**
   * Calls a function of at most three arguments.
   *
   * @param function its address
   * @param a the first argument
   * @param b the second argument
   * @param c the third argument
   * @return what it returned
   */
  public static long call(MemorySegment function, long a, long b, long c) {
    return call(function, a, b, c, 0, 0, 0);
  }

  /**
   * Calls a function and tells the error; used for calls that failed, with the same arguments.
   *
   * @param error where the thread's error number goes
   * @param function its address
   * @param a the first argument
   * @param b the second argument
   * @param c the third argument
   * @param d the fourth argument
   * @param e the fifth argument
   * @param f the sixth argument
   * @return what it returned
   */
  public static long again(
      int[] error, MemorySegment function, long a, long b, long c, long d, long e, long f) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      long result = (long) Telling.CALL.invokeExact(function, state, a, b, c, d, e, f);
      error[0] = (int) Telling.ERROR.get(state, 0L);
      return result;
    } catch (Throwable t) {
      throw unchecked(t);
    }
  }

  /**
   * Calls a function of seven arguments and tells the error.
   *
   * @param error where the thread's error number goes
   * @param function its address
   * @param a the first argument
   * @param b the second argument
   * @param c the third argument
   * @param d the fourth argument
   * @param e the fifth argument
   * @param f the sixth argument
   * @param g the seventh argument
   * @return what it returned
   */
  public static long callSeven(
      int[] error, MemorySegment function, long a, long b, long c, long d, long e, long f, long g) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      long result = (long) Telling.Seven.CALL.invokeExact(function, state, a, b, c, d, e, f, g);
      error[0] = (int) Telling.ERROR.get(state, 0L);
      return result;
    } catch (Throwable t) {
      throw unchecked(t);
    }
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
