// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * Blocks of the C library, called through the foreign linker as critical functions: the fastest way
 * there is to call them, without the transition from Java to native and back.
 */
@SuppressWarnings("restricted") // the C library's malloc is what Ashlar is compared with
final class CMallocStore implements BlockStore {

  private static final MethodHandle MALLOC =
      link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
  private static final MethodHandle REALLOC =
      link("realloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE = link("free", FunctionDescriptor.ofVoid(JAVA_LONG));

  @Override
  public long allocate(int slot, long bytes) {
    try {
      return checked((long) MALLOC.invokeExact(bytes), bytes);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  @Override
  public long reallocate(int slot, long address, long oldBytes, long newBytes) {
    try {
      return checked((long) REALLOC.invokeExact(address, newBytes), newBytes);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  @Override
  public void free(int slot, long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  @Override
  public void close() {
    // The C library keeps what it keeps.
  }

  private static long checked(long address, long bytes) {
    if (address == 0) {
      throw new OutOfMemoryError(
          "the C library has no memory for a request of " + bytes + " bytes");
    }
    return address;
  }

  private static Error rethrown(Throwable e) {
    if (e instanceof Error error) {
      return error;
    }
    return new AssertionError("a C function cannot throw", e);
  }

  private static MethodHandle link(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), type, Linker.Option.critical(false));
  }
}
