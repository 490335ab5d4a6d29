// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.ashlar.alloc.segment.FullPages;
import dev.ashlar.alloc.segment.Page;
import dev.ashlar.alloc.segment.SizeClasses;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * The two orders that the protocol of remote frees stands on: a bit is set before the mark is read,
 * and the mark is cleared before the bits are taken. So if the thread finds the page marked, and
 * leaves it to the owner, the owner finds the bit.
 */
@JCStressTest
@Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "the thread queues the page again")
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "queued again for nothing")
@Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "the owner finds the block")
@Outcome(id = "false, 0", expect = FORBIDDEN, desc = "a block in a page that nobody drains")
@State
public class QueuedOrSeen {

  private final Page page = FullPages.make(new HeapPages(null, null), SizeClasses.of(16 << 10));

  public QueuedOrSeen() {
    page.markPending();
  }

  @Actor
  public void give(ZI_Result result) {
    page.giveRemote(0, 1);
    result.r1 = page.markPending();
  }

  @Actor
  public void drain(ZI_Result result) {
    result.r2 = page.drainRemote();
  }
}
