// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A bounded place where workers leave blocks for one another. */
final class ExchangeSlots {

  private final AtomicReferenceArray<StressBlock> slots;

  ExchangeSlots(int count) {
    slots = new AtomicReferenceArray<>(count);
  }

  int count() {
    return slots.length();
  }

  /** Leaves a block in a slot, or nothing; returns what was there, null if nothing was. */
  StressBlock swap(int slot, StressBlock block) {
    return slots.getAndSet(slot, block);
  }

  /** Takes everything. */
  List<StressBlock> takeAll() {
    List<StressBlock> all = new ArrayList<>();
    for (int i = 0; i < slots.length(); i++) {
      StressBlock block = slots.getAndSet(i, null);
      if (block != null) {
        all.add(block);
      }
    }
    return all;
  }
}
