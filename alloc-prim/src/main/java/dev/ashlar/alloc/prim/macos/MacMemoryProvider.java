// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.macos;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryProvider;

/** Offers the binding of macOS on AArch64. */
public final class MacMemoryProvider implements VirtualMemoryProvider {

  /** Made by the service loader. */
  public MacMemoryProvider() {}

  @Override
  public boolean fitsThisMachine() {
    return fits(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static boolean fits(String name, String architecture) {
    return name.startsWith("Mac") && architecture.equals("aarch64");
  }

  @Override
  public VirtualMemory open() {
    return new MacMemory(new NativeMacCalls());
  }
}
