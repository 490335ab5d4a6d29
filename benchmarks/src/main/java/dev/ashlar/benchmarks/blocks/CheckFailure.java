// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.blocks;

/** Thrown when an allocator did not do the work it was asked for. */
public final class CheckFailure extends RuntimeException {

  private static final long serialVersionUID = 1;

  public CheckFailure(String message) {
    super(message);
  }
}
