// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.prim.VirtualMemory;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The states of heaps: two threads claim slots, of which one is a dead thread's and holds a heap to
 * adopt, while a third drains what dead threads left. No two living threads have one slot or one
 * heap, and no more heaps are made than there are threads at a time.
 */
public class AdoptionModelTest {

  private static final int SLOTS = 2;

  private final HeapTable table = new HeapTable("model", VirtualMemory.system(), null, SLOTS, 1);
  private final long base = ProcessSpace.SLOT_BASE + table.offset();
  private final AtomicReferenceArray<Thread> owners = new AtomicReferenceArray<>(SLOTS);

  public AdoptionModelTest() {
    table.enter(ModelThreads.DEAD);
  }

  @Operation(nonParallelGroup = "one")
  public void claimWhereTheDeadThreadIs() {
    claim(ModelThreads.WITH_ITS_SLOT);
  }

  @Operation(nonParallelGroup = "other")
  public void claimElsewhere() {
    claim(ModelThreads.WITH_ANOTHER_SLOT);
  }

  private void claim(Thread thread) {
    long slot = table.enter(thread);
    if (slot == 0) {
      return; // a glance found a heap that was being moved: this time the thread shares another
    }
    int index = (int) (slot - base >>> Magazines.SLOT_SHIFT);
    Thread before = owners.compareAndExchange(index, null, thread);
    if (before != null && before != thread) {
      throw new AssertionError("two living threads have slot " + index);
    }
  }

  @Operation(runOnce = true)
  public void drain() {
    table.drainDead();
  }

  @Validate
  public void everyHeapHasAtMostOneOwner() {
    ThreadHeap[] heaps = table.set().all();
    int living = 0;
    for (int i = 0; i < SLOTS; i++) {
      living += owners.get(i) == null ? 0 : 1;
    }
    // The dead thread's heap, and another one for the second living thread.
    if (heaps.length > Math.max(1, living)) {
      throw new AssertionError(heaps.length + " heaps for " + living + " threads");
    }
    for (int i = 0; i < SLOTS; i++) {
      ThreadHeap heap = table.heapAt(base + ((long) i << Magazines.SLOT_SHIFT));
      if (owners.get(i) != null && (heap == null || heap.isDead())) {
        throw new AssertionError("the heap of slot " + i + " is not its owner's");
      }
    }
    table.close();
    table.release();
  }

  @Test
  void noSlotAndNoHeapHasTwoLivingOwners() {
    assertThat(ModelThreads.WITH_ITS_SLOT.isAlive()).isTrue();
    ModelRun.explore(AdoptionModelTest.class, 3, 1);
  }
}
