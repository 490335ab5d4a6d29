// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.testkit.Operation.Allocate;
import dev.ashlar.alloc.testkit.Operation.AllocateInArena;
import dev.ashlar.alloc.testkit.Operation.Allocation;
import dev.ashlar.alloc.testkit.Operation.CloseArena;
import dev.ashlar.alloc.testkit.Operation.Free;
import dev.ashlar.alloc.testkit.Operation.Misuse;
import dev.ashlar.alloc.testkit.Operation.OpenArena;
import dev.ashlar.alloc.testkit.Operation.Refusal;
import dev.ashlar.alloc.testkit.Operation.Refuse;
import dev.ashlar.alloc.testkit.Operation.Resize;
import dev.ashlar.alloc.testkit.Operation.Resizing;
import dev.ashlar.alloc.testkit.Operation.Wrong;
import java.util.SplittableRandom;

/**
 * Draws the steps of a program from a seed: mostly small blocks, allocated and freed, with
 * stretches of growth and of decline, and now and then everything else.
 */
final class OperationGenerator {

  private static final Allocation[] ALLOCATIONS = Allocation.values();
  private static final Resizing[] RESIZINGS = Resizing.values();
  private static final Wrong[] WRONGS = Wrong.values();
  private static final Refusal[] REFUSALS = Refusal.values();

  private static final int STRETCH = 4_096;

  private final SplittableRandom random;
  private final ProgramOptions options;
  private int freeOf1000 = 350;
  private long drawn;

  OperationGenerator(long seed, ProgramOptions options) {
    this.random = new SplittableRandom(seed);
    this.options = options;
  }

  /** Draws the next step. */
  Operation next() {
    if (drawn++ % STRETCH == 0) {
      freeOf1000 = 250 + random.nextInt(350);
    }
    int draw = random.nextInt(1_000);
    if (draw < freeOf1000) {
      return new Free(pick(), random.nextBoolean(), elsewhere(true));
    }
    draw = random.nextInt(1_000);
    if (draw < 800) {
      return new Allocate(
          ALLOCATIONS[random.nextInt(ALLOCATIONS.length)], size(), alignment(), elsewhere(false));
    }
    if (draw < 930) {
      return new Resize(
          RESIZINGS[random.nextInt(RESIZINGS.length)],
          pick(),
          size(),
          alignment(),
          elsewhere(false));
    }
    if (draw < 950 && options.detectsMisuse()) {
      return new Misuse(WRONGS[random.nextInt(WRONGS.length)], pick(), random.nextLong() >>> 1);
    }
    if (draw < 960) {
      return new Refuse(REFUSALS[random.nextInt(REFUSALS.length)], pick());
    }
    if (draw < 968) {
      return random.nextInt(8) > 0 ? new CloseArena(pick()) : new OpenArena(random.nextBoolean());
    }
    if (draw < 972) {
      return new OpenArena(random.nextInt(10) == 0);
    }
    return new AllocateInArena(pick(), size(), alignment());
  }

  private int pick() {
    return random.nextInt(Integer.MAX_VALUE);
  }

  /** With other programs around, only frees are made elsewhere, and those often. */
  private boolean elsewhere(boolean freeing) {
    if (options.alone()) {
      return random.nextInt(freeing ? 100 : 500) == 0;
    }
    return freeing && random.nextInt(4) == 0;
  }

  /** Rarely large: nearly all of the time would go into painting them. */
  private long size() {
    int draw = random.nextInt(100_000);
    long most;
    if (draw < 90_000) {
      most = 1L << 10;
    } else if (draw < 99_000) {
      most = 1L << 13;
    } else if (draw < 99_900) {
      most = 1L << 16;
    } else if (draw < 99_990) {
      most = 1L << 20;
    } else {
      most = options.mostSize();
    }
    long limit = Math.min(most, options.mostSize());
    return switch (random.nextInt(8)) {
      case 0 -> Math.min(limit, (1L << random.nextInt(64 - Long.numberOfLeadingZeros(limit))) - 1);
      case 1 -> Math.min(limit, 1L << random.nextInt(64 - Long.numberOfLeadingZeros(limit)));
      case 2 -> limit;
      default -> random.nextLong(limit + 1);
    };
  }

  private long alignment() {
    int draw = random.nextInt(1_000);
    if (draw < 900) {
      return 1L << random.nextInt(7);
    }
    return 1L << random.nextInt(draw < 999 ? 13 : 22);
  }
}
