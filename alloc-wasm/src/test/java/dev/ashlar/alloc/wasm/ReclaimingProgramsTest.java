// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

/** Random programs on a reclaiming allocator. */
class ReclaimingProgramsTest extends GuestPrograms {

  @Override
  GuestModel model(NativeLinearMemory memory, long heapBase, long greatest, long seed) {
    ReclaimingAllocator reclaiming = new ReclaimingAllocator(memory, heapBase);
    return new GuestModel(memory, reclaiming, Math.max(heapBase, 16), greatest, seed) {

      @Override
      void step() {
        super.step();
        LinearInvariants.check(reclaiming);
      }
    };
  }
}
