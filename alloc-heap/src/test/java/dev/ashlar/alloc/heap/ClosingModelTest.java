// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.prim.VirtualMemory;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The handshake of closing: a heap's owner says that it is inside and then looks whether the table
 * is closed; the closer marks the table and then looks who is inside. One of the two sees the
 * other, so nobody is inside once closing is over.
 */
public class ClosingModelTest {

  private final HeapTable table = new HeapTable("model", VirtualMemory.system(), null, 1, 1);
  private final ThreadHeap heap = table.heapAt(table.newStripe(0));
  private volatile boolean inside;
  private volatile boolean closed;

  @Operation(nonParallelGroup = "owner")
  public void work() {
    try {
      heap.begin();
    } catch (IllegalStateException e) {
      return; // closed
    }
    inside = true;
    if (closed) {
      throw new AssertionError("a thread in a heap of a closed allocator");
    }
    inside = false;
    heap.end();
  }

  @Operation(runOnce = true)
  public void close() {
    table.close();
    closed = true;
    if (inside) {
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
  void nobodyIsInsideOnceClosingIsOver() {
    ModelRun.explore(ClosingModelTest.class, 2, 2);
  }
}
