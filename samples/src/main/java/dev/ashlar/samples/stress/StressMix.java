// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import java.util.ArrayList;
import java.util.List;

/** How often each operation is done. Immutable. */
final class StressMix {

  private final StressOperation[] drawn;

  private StressMix(List<StressOperation> drawn) {
    this.drawn = drawn.toArray(StressOperation[]::new);
  }

  /** Returns the mix of every run: an operation as many times in a thousand or so as is said. */
  static StressMix ofAll() {
    List<StressOperation> drawn = new ArrayList<>();
    add(drawn, 400, new AllocateOperation());
    add(drawn, 280, new FreeOperation());
    add(drawn, 130, new ResizeOperation());
    add(drawn, 180, new ExchangeOperation());
    add(drawn, 8, new BurstOperation());
    add(drawn, 2, new ArenaOperation());
    add(drawn, 2, new TrimOperation());
    add(drawn, 2, new CollectOperation());
    add(drawn, 2, new HeapOperation());
    return new StressMix(drawn);
  }

  private static void add(List<StressOperation> drawn, int times, StressOperation operation) {
    for (int i = 0; i < times; i++) {
      drawn.add(operation);
    }
  }

  StressOperation draw(StepRandom random) {
    return drawn[random.nextInt(drawn.length)];
  }
}
