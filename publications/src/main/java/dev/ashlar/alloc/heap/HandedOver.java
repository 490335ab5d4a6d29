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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * An explicit heap ends while another thread puts a block of it back. The page's new owner is
 * written before the old list is sealed, so a thread that finds the list sealed finds the new
 * owner, and the block comes to one of the two lists.
 */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "the block is back")
@Outcome(expect = FORBIDDEN, desc = "the block is lost")
@State
public class HandedOver {

  private final HeapPages ending = new HeapPages(null, null);
  private final HeapPages heir = new HeapPages(null, null);
  private final Page page = FullPages.make(ending, SizeClasses.of(16 << 10));

  @Actor
  public void give() {
    RemoteFrees.give(page, 0, 1);
  }

  @Actor
  public void end() {
    FullPages.handOver(page, heir);
    drain(ending.remoteFrees().seal());
  }

  @Arbiter
  public void drainHeir(I_Result result) {
    drain(heir.remoteFrees().takeAll());
    result.r1 = page.freeCount();
  }

  private static void drain(Page first) {
    for (Page each = first; each != null; ) {
      Page next = each.nextPending();
      each.setNextPending(null);
      each.drainRemote();
      each = next;
    }
  }
}
