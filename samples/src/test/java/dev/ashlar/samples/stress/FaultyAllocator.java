// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.profiles.Ashlar;
import dev.ashlar.samples.index.OffHeap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;

/** A good allocator whose raw face has one fault, every so many calls. For one thread. */
final class FaultyAllocator {

  /** What it does wrong, and in which method. */
  enum Fault {
    /** Writes into a block that it gave out. */
    WRITES_INTO_LIVE_BLOCKS("malloc"),
    /** Gives a block out that is live. */
    GIVES_A_BLOCK_TWICE("malloc"),
    /** Does not zero. */
    DOES_NOT_ZERO("zalloc"),
    /** Does not align. */
    DOES_NOT_ALIGN("alignedAlloc"),
    /** Does not free. */
    DOES_NOT_FREE("free"),
    /** Loses the contents of a block when it is resized. */
    LOSES_CONTENTS("alignedRealloc");

    private final String method;

    Fault(String method) {
      this.method = method;
    }
  }

  private static final int PERIOD = 50;

  private final RawAllocator good;
  private final Fault fault;
  private final AtomicLong calls = new AtomicLong();

  /** The large enough block that was given out last. */
  private long last;

  private FaultyAllocator(RawAllocator good, Fault fault) {
    this.good = good;
    this.fault = fault;
  }

  static Allocator open(Fault fault) {
    // Without checks, so that none of them finds the fault before the stress run does.
    Allocator good = Ashlar.builder().checks(false).build();
    FaultyAllocator faulty = new FaultyAllocator(good.raw(), fault);
    RawAllocator raw = proxy(RawAllocator.class, faulty::call);
    return proxy(
        Allocator.class,
        (method, arguments) ->
            method.getName().equals("raw") ? raw : invoke(good, method, arguments));
  }

  private interface Call {
    Object make(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.make(method, arguments)));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    boolean wrong = method.getName().equals(fault.method) && calls.incrementAndGet() % PERIOD == 0;
    if (!wrong) {
      Object result = invoke(good, method, arguments);
      note(method, arguments, result);
      return result;
    }
    return switch (fault) {
      case WRITES_INTO_LIVE_BLOCKS -> {
        OffHeap.putByte(last, (byte) (OffHeap.getByte(last) + 1));
        yield invoke(good, method, arguments);
      }
      case GIVES_A_BLOCK_TWICE -> last;
      case DOES_NOT_FREE -> null;
      case DOES_NOT_ALIGN -> good.malloc((long) arguments[0] + 16) + 1;
      case DOES_NOT_ZERO -> {
        long block = good.zalloc((long) arguments[0]);
        OffHeap.putByte(block, (byte) 1);
        yield block;
      }
      case LOSES_CONTENTS -> {
        Object block = invoke(good, method, arguments);
        OffHeap.putLong((long) block, 0);
        yield block;
      }
    };
  }

  private void note(Method method, Object[] arguments, Object result) {
    if (method.getName().equals("malloc") && (long) arguments[0] >= 32 << 10) {
      last = (long) result;
    }
  }
}
