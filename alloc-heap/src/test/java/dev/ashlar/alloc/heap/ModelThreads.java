// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import java.util.concurrent.locks.LockSupport;

/** Threads that models speak of, the same in every run of a model, as slots go by thread ids. */
final class ModelThreads {

  /** A thread that is not alive, with an even id. */
  static final Thread DEAD = withId(0);

  /** A living thread whose first slot of two is that of the dead one. */
  static final Thread WITH_ITS_SLOT = alive(withId(0));

  /** A living thread whose first slot of two is the other one. */
  static final Thread WITH_ANOTHER_SLOT = alive(withId(1));

  private ModelThreads() {}

  private static Thread withId(int parity) {
    while (true) {
      Thread thread = new Thread(ModelThreads::stay, "model");
      if ((thread.threadId() & 1) == parity) {
        return thread;
      }
    }
  }

  private static void stay() {
    while (true) {
      LockSupport.park();
    }
  }

  private static Thread alive(Thread thread) {
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
