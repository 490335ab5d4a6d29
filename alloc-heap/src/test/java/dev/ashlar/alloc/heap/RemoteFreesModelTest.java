// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.SizeClasses;
import dev.ashlar.alloc.segment.TestPages;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The protocol of remote frees: three blocks of two pages are put back by other threads while the
 * owner drains. Whatever the interleaving, the next drain finds all of them, each once.
 */
public class RemoteFreesModelTest {

  private static final int SIZE_CLASS = SizeClasses.of(16 << 10);

  private final HeapPages pages = new HeapPages(null, null);
  private final Page one = TestPages.allOut(pages, SIZE_CLASS);
  private final Page other = TestPages.allOut(pages, SIZE_CLASS - 1);
  private boolean gaveFirst;
  private boolean gaveSecond;
  private boolean gaveOther;

  @Operation(runOnce = true)
  public long giveFirst() {
    gaveFirst = true;
    return RemoteFrees.give(one, 0, 1);
  }

  @Operation(runOnce = true)
  public long giveSecond() {
    gaveSecond = true;
    return RemoteFrees.give(one, 0, 2);
  }

  @Operation(runOnce = true)
  public long giveOther() {
    gaveOther = true;
    return RemoteFrees.give(other, 0, 1);
  }

  @Operation(nonParallelGroup = "owner")
  public void drain() {
    pages.drainRemoteFrees();
  }

  @Validate
  public void everyBlockIsBackOnce() {
    pages.drainRemoteFrees();
    require(one, (gaveFirst ? 1 : 0) + (gaveSecond ? 1 : 0));
    require(other, gaveOther ? 1 : 0);
  }

  private static void require(Page page, int given) {
    if (page.freeCount() != given || TestPages.remoteCount(page) != 0) {
      throw new IllegalStateException(
          given + " blocks were put back, " + page.freeCount() + " are free");
    }
  }

  @Test
  void noBlockIsLostOrFoundTwice() {
    ModelRun.explore(RemoteFreesModelTest.class, 3, 2);
  }
}
