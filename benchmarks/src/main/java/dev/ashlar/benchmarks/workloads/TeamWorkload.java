// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.blocks.Blocks;
import java.util.function.IntConsumer;

/** A workload of a team: the time of a run is divided by the operations of one thread. */
abstract class TeamWorkload implements Workload {

  private final int threads;
  private final int pieces;
  private final int operationsPerPiece;
  private Team team;

  TeamWorkload(int threads, int pieces, int operationsPerPiece, int shorter) {
    this.threads = threads;
    this.pieces = Math.max(1, pieces / shorter);
    this.operationsPerPiece = operationsPerPiece;
  }

  @Override
  public final int threads() {
    return threads;
  }

  @Override
  public final long operations() {
    return (long) pieces * operationsPerPiece;
  }

  @Override
  public final void run(Blocks blocks, IntConsumer piece) {
    if (team == null) {
      team = new Team(threads, pieces, piece, blocks);
    }
    team.run();
  }

  @Override
  public void empty(Blocks blocks) {
    if (team != null) {
      team.stop();
    }
  }
}
