// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

import java.util.ServiceLoader;

/** Finds this process's binding on first use, and keeps it. */
final class SystemMemory {

  private static VirtualMemory found;

  private SystemMemory() {}

  static synchronized VirtualMemory get() {
    if (found == null) {
      found = find();
    }
    return found;
  }

  private static VirtualMemory find() {
    for (VirtualMemoryProvider provider :
        ServiceLoader.load(VirtualMemoryProvider.class, SystemMemory.class.getClassLoader())) {
      if (provider.fitsThisMachine()) {
        return provider.open();
      }
    }
    throw new UnsupportedOperationException(
        "no memory binding for "
            + System.getProperty("os.name")
            + " on "
            + System.getProperty("os.arch"));
  }
}
