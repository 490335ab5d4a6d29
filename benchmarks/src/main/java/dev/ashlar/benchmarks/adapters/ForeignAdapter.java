// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * A native allocator called through the foreign linker, as critical functions: the fastest way
 * there is to call one from Java.
 *
 * @param malloc its malloc
 * @param calloc its calloc
 * @param realloc its realloc
 * @param release its free
 * @param collect gives memory back; does nothing where the allocator has no such call
 */
@SuppressWarnings("restricted") // native allocators are what Ashlar is compared with
public record ForeignAdapter(
    MethodHandle malloc,
    MethodHandle calloc,
    MethodHandle realloc,
    MethodHandle release,
    MethodHandle collect)
    implements AddressAdapter {

  private static final Linker LINKER = Linker.nativeLinker();
  private static final FunctionDescriptor OF_LONG = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor OF_LONGS =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C library of this process. */
  public static ForeignAdapter glibc() {
    SymbolLookup library = LINKER.defaultLookup();
    MethodHandle trim =
        function(library, "malloc_trim", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    return of(library, "", MethodHandles.insertArguments(trim, 0, 0L));
  }

  /** The mimalloc that is installed on this machine. */
  public static ForeignAdapter mimalloc() {
    SymbolLookup library = NativeLibrary.MIMALLOC.load();
    MethodHandle collect = function(library, "mi_collect", FunctionDescriptor.ofVoid(JAVA_INT));
    return of(library, "mi_", MethodHandles.insertArguments(collect, 0, 1));
  }

  /** The jemalloc that is installed on this machine. */
  public static ForeignAdapter jemalloc() {
    SymbolLookup library = NativeLibrary.JEMALLOC.load();
    MethodHandle control =
        LINKER.downcallHandle(
            library.findOrThrow("mallctl"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
    return of(
        library,
        "",
        MethodHandles.foldArguments(
            control(control, "arena.4096.purge"), // of all arenas
            MethodHandles.dropReturn(control(control, "thread.tcache.flush"))));
  }

  private static MethodHandle control(MethodHandle control, String name) {
    MemorySegment none = MemorySegment.NULL;
    return MethodHandles.insertArguments(
        control, 0, Arena.global().allocateFrom(name), none, none, none, 0L);
  }

  private static ForeignAdapter of(SymbolLookup library, String prefix, MethodHandle collect) {
    return new ForeignAdapter(
        function(library, prefix + "malloc", OF_LONG),
        function(library, prefix + "calloc", OF_LONGS),
        function(library, prefix + "realloc", OF_LONGS),
        function(library, prefix + "free", FunctionDescriptor.ofVoid(JAVA_LONG)),
        collect.asType(collect.type().changeReturnType(void.class)));
  }

  private static MethodHandle function(SymbolLookup library, String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(library.findOrThrow(name), type, Linker.Option.critical(false));
  }

  @Override
  public long allocate(long size) {
    try {
      return (long) malloc.invokeExact(size);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  @Override
  public long allocateZeroed(long size) {
    try {
      return (long) calloc.invokeExact(1L, size);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  @Override
  public long reallocate(long address, long newSize) {
    try {
      return (long) realloc.invokeExact(address, newSize);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  @Override
  public void free(long address) {
    try {
      release.invokeExact(address);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  @Override
  public boolean trim() {
    try {
      collect.invokeExact();
      return true;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private static AssertionError impossible(Throwable e) {
    return new AssertionError("a C function cannot throw", e);
  }
}
