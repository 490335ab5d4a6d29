// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/** Collects, and now and then gives all free memory to the operating system. */
final class CollectOperation implements StressOperation {

  @Override
  public void run(StressWorker worker, StepRandom random) {
    boolean force = random.once(4);
    long given = worker.blocks().allocator().collect(force);
    if (given < 0 || !force && given != 0) {
      throw new StressFault("collect(" + force + ") gave " + given + " bytes back");
    }
  }
}
