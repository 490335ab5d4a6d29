// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryProvider;
import java.nio.file.Path;

/** Offers the Linux binding. */
public final class LinuxMemoryProvider implements VirtualMemoryProvider {

  /** Made by the service loader. */
  public LinuxMemoryProvider() {}

  @Override
  public boolean fitsThisMachine() {
    return System.getProperty("os.name").equals("Linux");
  }

  @Override
  public VirtualMemory open() {
    return new LinuxMemory(new NativeLinuxCalls(), Path.of("/"));
  }
}
