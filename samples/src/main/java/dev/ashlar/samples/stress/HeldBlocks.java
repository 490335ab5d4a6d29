// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The blocks that a worker has, in numbered places, and not more bytes of them than its share. For
 * one thread at a time.
 */
final class HeldBlocks {

  /** How many blocks a worker has at most. */
  static final int PLACES = 512;

  private final StressBlock[] places = new StressBlock[PLACES];
  private final CheckedBlocks blocks;
  private final long most;
  private long bytes;

  /**
   * Makes places without blocks.
   *
   * @param blocks what frees blocks
   * @param most how many bytes may be held; a single block may be larger
   */
  HeldBlocks(CheckedBlocks blocks, long most) {
    this.blocks = blocks;
    this.most = most;
  }

  /** Makes a place, and room for so many bytes, by freeing what is in the way. */
  void makeRoom(int place, long size, StepRandom random) {
    free(place, random);
    for (int i = 1; i < PLACES && bytes + size > most; i++) {
      free((place + i) % PLACES, random);
    }
  }

  /** Puts a block in a place that is empty. */
  void put(int place, StressBlock block) {
    places[place] = block;
    bytes += block.size();
  }

  /** Takes the block out of a place; null if there is none. */
  StressBlock take(int place) {
    StressBlock block = places[place];
    if (block != null) {
      places[place] = null;
      bytes -= block.size();
    }
    return block;
  }

  private void free(int place, StepRandom random) {
    StressBlock block = take(place);
    if (block != null) {
      blocks.free(block, random);
    }
  }

  /** Takes everything. */
  List<StressBlock> takeAll() {
    List<StressBlock> all = new ArrayList<>();
    for (int place = 0; place < PLACES; place++) {
      StressBlock block = take(place);
      if (block != null) {
        all.add(block);
      }
    }
    return all;
  }

  @Override
  public String toString() {
    return Arrays.stream(places).filter(block -> block != null).count() + " blocks";
  }
}
