// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

/**
 * The words that the demo and its child JVMs exchange, a line each. The child begins every line
 * with {@link #PREFIX}, because the JVM itself may print to the same stream.
 */
final class ArmProtocol {

  /** How each line of the child begins. */
  static final String PREFIX = "ashlar-demo ";

  /** The child has read the corpus, or has warmed up. */
  static final String READY = "ready";

  /** The child has built the index once; a {@link Round} follows. */
  static final String ROUND = "round ";

  /** The child cannot go on; the reason follows. */
  static final String FAILED = "failed ";

  /** Asks the child to build without measuring. */
  static final String DO_WARM_UP = "warm up";

  /** Asks the child to build once. */
  static final String DO_ROUND = "round";

  private ArmProtocol() {}
}
