// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.TestPages;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The end of an explicit heap whose blocks live on: its page gets another owner and its list is
 * sealed, while other threads put blocks back. Every block comes to the list of one of the owners.
 */
public class HandOverModelTest {

  private static final int SIZE_CLASS = SizeClasses.of(16 << 10);

  private final HeapPages ending = new HeapPages(null, null);
  private final HeapPages heir = new HeapPages(null, null);
  private final Page page = TestPages.allOut(ending, SIZE_CLASS);
  private boolean gaveFirst;
  private boolean gaveSecond;

  @Operation(runOnce = true)
  public long giveFirst() {
    gaveFirst = true;
    return RemoteFrees.give(page, 0, 1);
  }

  @Operation(runOnce = true)
  public long giveSecond() {
    gaveSecond = true;
    return RemoteFrees.give(page, 0, 2);
  }

  @Operation(runOnce = true)
  public void end() {
    TestPages.setOwner(page, heir);
    drain(ending.remoteFrees().seal());
  }

  private static void drain(Page first) {
    for (Page each = first; each != null; ) {
      Page next = each.nextPending();
      each.setNextPending(null);
      each.drainRemote();
      each = next;
    }
  }

  @Validate
  public void everyBlockIsBackOnce() {
    drain((page.owner() == heir ? heir : ending).remoteFrees().takeAll());
    int given = (gaveFirst ? 1 : 0) + (gaveSecond ? 1 : 0);
    if (page.freeCount() != given || TestPages.remoteCount(page) != 0) {
      throw new IllegalStateException(
          given + " blocks were put back, " + page.freeCount() + " are free");
    }
  }

  @Test
  void noBlockIsLostWhenAHeapEnds() {
    ModelRun.explore(HandOverModelTest.class, 3, 1);
  }
}
