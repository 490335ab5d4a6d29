// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

/** What a workload needs of an allocator beyond allocating and freeing by one thread. */
public enum Need {
  /** Blocks that are memory of their own. */
  REAL_BLOCKS("it has no blocks of its own"),
  /** Frees in any order. */
  ANY_ORDER("its marks are reset newest first"),
  /** Frees by another thread than the one that allocated. */
  REMOTE_FREE("a block can only be freed by the thread that allocated it"),
  /** Growing a block, other than by a new one and a copy. */
  RESIZE("a block cannot grow"),
  /** Half a million blocks alive and freed one by one, in a time one can wait for. */
  MANY_BLOCKS("closing half a million shared arenas takes many minutes"),
  /** Use by any thread. */
  ANY_THREAD("only the thread that made the heap allocates from it"),
  /** Virtual threads. */
  VIRTUAL_THREADS("C has no virtual threads"),
  /** Use by threads that were not prepared for it. */
  UNPREPARED_THREADS("it wants every thread prepared, which a virtual thread cannot be");

  private final String lack;

  Need(String lack) {
    this.lack = lack;
  }

  /** What is said of an allocator that does not fulfil it. */
  public String lack() {
    return lack;
  }
}
