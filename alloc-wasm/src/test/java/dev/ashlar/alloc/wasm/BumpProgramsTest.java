// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

/** Random programs on a bump allocator. */
class BumpProgramsTest extends GuestPrograms {

  @Override
  GuestModel model(NativeLinearMemory memory, long heapBase, long greatest, long seed) {
    return new GuestModel(
        memory, new BumpAllocator(memory, heapBase), Math.max(heapBase, 16), greatest, seed);
  }
}
