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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread reads a block for the last time and puts it back; the owner takes the block and writes
 * to it. Putting back happens before taking, so the last read does not see what the owner writes.
 * Likewise what the thread wrote is there when the owner has the block. A plain field stands for
 * the block's bytes.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the owner did not find the block")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the owner found it with its contents")
@Outcome(expect = FORBIDDEN, desc = "the block had two users at a time")
@State
public class BlockContents {

  private final HeapPages owner = new HeapPages(null, null);
  private final Page page = FullPages.make(owner, SizeClasses.of(16 << 10));
  private int contents;

  @Actor
  public void useAndFree(II_Result result) {
    contents = 1;
    result.r1 = contents;
    RemoteFrees.give(page, 0, 1);
  }

  @Actor
  public void takeAndUse(II_Result result) {
    Page first = owner.remoteFrees().takeAll();
    if (first != null && first.drainRemote() == 1) {
      first.takeOne();
      result.r2 = contents;
      contents = 2;
    }
  }
}
