// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.windows;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryProvider;

/** Offers the Windows binding. */
public final class WindowsMemoryProvider implements VirtualMemoryProvider {

  /** Made by the service loader. */
  public WindowsMemoryProvider() {}

  @Override
  public boolean fitsThisMachine() {
    return fits(System.getProperty("os.name"));
  }

  static boolean fits(String name) {
    return name.startsWith("Windows");
  }

  @Override
  public VirtualMemory open() {
    return new WindowsMemory(new NativeWindowsCalls());
  }
}
