// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.prim.VirtualMemory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The protocol of stripes: threads hold and let go while another one closes. No two are in one
 * stripe, and nobody is in any once closing is over.
 */
public class StripesModelTest {

  private final HeapTable table = new HeapTable("model", VirtualMemory.system(), null, 1, 2);
  private final HeapStripes stripes = new HeapStripes(table, 2);
  private final AtomicInteger[] inside = {new AtomicInteger(), new AtomicInteger()};
  private final long first = ProcessSpace.SLOT_BASE + table.offset() + (1L << Magazines.SLOT_SHIFT);
  private volatile boolean closed;

  @Operation
  public void use() {
    HeapStripes.Stripe stripe;
    try {
      stripe = stripes.hold(Thread.currentThread());
    } catch (IllegalStateException e) {
      return; // closed
    }
    AtomicInteger here = inside[stripe.slot() == first ? 0 : 1];
    if (here.incrementAndGet() != 1) {
      throw new AssertionError("two threads in one stripe");
    }
    if (closed) {
      throw new AssertionError("a thread in a stripe of a closed allocator");
    }
    here.decrementAndGet();
    stripe.letGo();
  }

  @Operation(runOnce = true)
  public void close() {
    table.close();
    stripes.close();
    closed = true;
    if (inside[0].get() + inside[1].get() != 0) {
      throw new AssertionError("closed with a thread inside");
    }
  }

  @Validate
  public void giveBack() {
    if (!closed) {
      table.close();
    }
    table.release();
  }

  @Test
  void nobodyIsInAStripeTwiceOrAfterItsClosing() {
    ModelRun.explore(StripesModelTest.class, 2, 2);
  }
}
