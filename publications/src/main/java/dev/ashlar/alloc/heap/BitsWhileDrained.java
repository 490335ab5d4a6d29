// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.ashlar.alloc.segment.FullPages;
import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.SizeClasses;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A page is queued with one block put back. While its owner drains it, another thread puts a second
 * block back. The owner finds one block or both; a block that it did not find is in a page that is
 * queued again, so the next drain finds it.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "the second block waits for the next drain")
@Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "the owner found both")
@Outcome(expect = FORBIDDEN, desc = "a block is left behind, or was found twice")
@State
public class BitsWhileDrained {

  private final HeapPages owner = new HeapPages(null, null);
  private final Page page = FullPages.make(owner, SizeClasses.of(16 << 10));

  public BitsWhileDrained() {
    RemoteFrees.give(page, 0, 1);
  }

  @Actor
  public void give() {
    RemoteFrees.give(page, 0, 2);
  }

  @Actor
  public void drain(II_Result result) {
    drainList();
    result.r1 = page.freeCount();
  }

  @Arbiter
  public void drainAgain(II_Result result) {
    drainList();
    result.r2 = page.freeCount();
  }

  private void drainList() {
    for (Page each = owner.remoteFrees().takeAll(); each != null; ) {
      Page next = each.nextPending();
      each.drainRemote();
      each = next;
    }
  }
}
