// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

/**
 * One thing that workers do now and then. An operation draws what it needs from the numbers it gets
 * and from nothing else, so that a worker does the same with the same seed. It has no state.
 */
interface StressOperation {

  /**
   * Does it once.
   *
   * @param worker on whose behalf
   * @param random the numbers of this step
   * @throws StressFault if the allocator did what it must not do
   */
  void run(StressWorker worker, StepRandom random);
}
