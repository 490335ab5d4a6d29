// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.integrations.chicory;

import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.TrapException;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.ValType;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.wasm.GuestAllocator;
import dev.ashlar.alloc.wasm.LinearMemory;
import dev.ashlar.alloc.wasm.ScopedAllocator;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The C library's allocation functions for one guest: host functions over its own memory.
 *
 * <p>A C program compiled for wasm32 without a C library imports them from the module {@code env}:
 * {@code malloc}, {@code free}, {@code calloc}, {@code realloc}, {@code aligned_alloc} and {@code
 * malloc_usable_size}, and, for phases, {@code int scope_mark(void)} and {@code void
 * scope_reset(int)}. It must export its {@code __heap_base}, as {@code wasm-ld
 * --export=__heap_base} does: blocks are from there on.
 *
 * <p>As in C, a request for which there is no memory is answered with 0, and so is an alignment
 * that is no power of two; {@link #refusal()} tells the host why. A bad pointer is a trap with the
 * words of {@link MemoryMisuseException}; the guest's call ends, its memory and the host go on. A
 * size of 0 gives a block, also to {@code realloc}.
 *
 * <p>The scope functions work on a {@link ScopedAllocator}; on others a mark is 0 and a reset does
 * nothing.
 *
 * <p>One object serves one instance, the first that calls or is attached. Not safe for use by
 * several threads at once.
 */
public final class GuestMalloc {

  private static final String MODULE = "env";
  private static final String HEAP_BASE = "__heap_base";
  private static final long[] NOTHING = {};

  /** Makes the allocator of a guest. */
  @FunctionalInterface
  public interface Factory {

    /**
     * Makes an allocator.
     *
     * @param memory the guest's memory
     * @param heapBase from where on the allocator may use it, as an offset in bytes
     * @return the allocator
     */
    GuestAllocator make(LinearMemory memory, long heapBase);
  }

  private final Factory factory;
  private Instance instance;
  private GuestAllocator allocator;
  private NativeMemoryExhaustedError refusal;
  private long calls;

  /**
   * Makes the functions of a guest that is yet to be instantiated.
   *
   * @param factory makes the allocator, such as {@code ReclaimingAllocator::new}
   */
  public GuestMalloc(Factory factory) {
    this.factory = factory;
  }

  /**
   * Returns what the guest imports.
   *
   * @return new host functions over this object
   */
  public ImportFunction[] functions() {
    return new ImportFunction[] {
      function("malloc", 1, true, args -> allocator.malloc(args[0])),
      function("calloc", 2, true, args -> allocator.calloc(args[0], args[1])),
      function("realloc", 2, true, args -> allocator.realloc(args[0], args[1])),
      function("aligned_alloc", 2, true, args -> alignedAlloc(args[0], args[1])),
      function(
          "malloc_usable_size", 1, true, args -> args[0] == 0 ? 0 : allocator.usableSize(args[0])),
      function("free", 1, false, args -> free(args[0])),
      function("scope_mark", 0, true, args -> mark()),
      function("scope_reset", 1, false, args -> reset(args[0]))
    };
  }

  private interface Body {
    long apply(long[] args);
  }

  private HostFunction function(String name, int parameters, boolean returns, Body body) {
    FunctionType type =
        FunctionType.of(
            Collections.nCopies(parameters, ValType.I32),
            returns ? List.of(ValType.I32) : List.of());
    return new HostFunction(
        MODULE,
        name,
        type,
        (caller, raw) -> {
          attach(caller);
          calls++;
          long[] args = new long[parameters];
          for (int i = 0; i < parameters; i++) {
            args[i] = Integer.toUnsignedLong((int) raw[i]);
          }
          long result = call(name, body, args);
          return returns ? new long[] {(int) result} : NOTHING;
        });
  }

  private long call(String name, Body body, long[] args) {
    try {
      return body.apply(args);
    } catch (NativeMemoryExhaustedError e) {
      refusal = e;
      return 0;
    } catch (MemoryMisuseException | IllegalStateException e) {
      throw trap(name + ": " + e.getMessage(), e);
    }
  }

  private static TrapException trap(String message, Throwable cause) {
    TrapException trap = new TrapException(message);
    trap.initCause(cause);
    return trap;
  }

  private long alignedAlloc(long alignment, long size) {
    boolean power = Long.bitCount(alignment) == 1 && alignment <= GuestAllocator.MAX_ALIGNMENT;
    return power ? allocator.alignedAlloc(size, alignment) : 0;
  }

  private long free(long offset) {
    allocator.free(offset);
    return 0;
  }

  private long mark() {
    return allocator instanceof ScopedAllocator scoped ? scoped.mark() : 0;
  }

  private long reset(long mark) {
    if (allocator instanceof ScopedAllocator scoped) {
      scoped.reset((int) mark);
    }
    return 0;
  }

  /**
   * Makes the allocator over the memory of an instance, which otherwise happens at its first call.
   *
   * @param guest the instance
   * @throws TrapException if this object serves another instance, or the guest exports no {@code
   *     __heap_base}
   */
  @SuppressWarnings("ReferenceEquality") // this very instance is meant
  public void attach(Instance guest) {
    if (instance == guest) {
      return;
    }
    if (instance != null) {
      throw new TrapException("these allocation functions serve another instance");
    }
    long base;
    try {
      base = Integer.toUnsignedLong((int) guest.exports().global(HEAP_BASE).getValue());
    } catch (RuntimeException e) {
      throw trap("the guest exports no " + HEAP_BASE + ": link it with --export=" + HEAP_BASE, e);
    }
    allocator = factory.make(new ChicoryMemory(guest.memory()), base);
    instance = guest;
  }

  /**
   * Returns the allocator, for the host to allocate from.
   *
   * @return the allocator
   * @throws IllegalStateException if there is none yet: see {@link #attach}
   */
  public GuestAllocator allocator() {
    if (allocator == null) {
      throw new IllegalStateException("no instance is attached");
    }
    return allocator;
  }

  /**
   * Begins a scope for blocks that the host makes in the guest's memory.
   *
   * @return an open scope
   * @throws IllegalStateException if there is no allocator yet: see {@link #attach}
   */
  public GuestScope scope() {
    return new GuestScope(allocator(), instance.memory());
  }

  /**
   * Returns why the newest request was refused of those that were.
   *
   * @return the error, or empty if none was refused
   */
  public Optional<NativeMemoryExhaustedError> refusal() {
    return Optional.ofNullable(refusal);
  }

  /**
   * Returns how often the guest called one of the functions.
   *
   * @return the number of calls
   */
  public long calls() {
    return calls;
  }
}
