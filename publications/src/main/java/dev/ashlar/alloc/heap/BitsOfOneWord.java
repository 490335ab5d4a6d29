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
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two threads put two blocks back whose bits are in one word of the bitmap. Neither block is lost,
 * neither is told to be a double free, and the page stands in the list once.
 */
@JCStressTest
@Outcome(id = "0, 0, 2, 1", expect = ACCEPTABLE, desc = "both blocks are back")
@Outcome(expect = FORBIDDEN, desc = "a block is lost or refused, or the page is listed twice")
@State
public class BitsOfOneWord {

  private final HeapPages owner = new HeapPages(null, null);
  private final Page page = FullPages.make(owner, SizeClasses.of(16 << 10));

  @Actor
  public void one(IIII_Result result) {
    result.r1 = (int) RemoteFrees.give(page, 0, 1);
  }

  @Actor
  public void other(IIII_Result result) {
    result.r2 = (int) RemoteFrees.give(page, 0, 2);
  }

  @Arbiter
  public void drain(IIII_Result result) {
    for (Page each = owner.remoteFrees().takeAll(); each != null && result.r4 < 3; ) {
      result.r4++;
      Page next = each.nextPending();
      each.drainRemote();
      each = next;
    }
    result.r3 = page.freeCount();
  }
}
