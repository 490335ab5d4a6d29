// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The operating system's memory and raw access to it: the only native calls of Ashlar.
 *
 * <p>This module may use {@code alloc-api}. Its packages are for the other modules of the family;
 * what users need of it is in {@code dev.ashlar.alloc.api} and {@code dev.ashlar.alloc.profiles}.
 */
@SuppressWarnings("module") // names modules that are not there yet when this one is compiled
module dev.ashlar.alloc.prim {
  requires transitive dev.ashlar.alloc.api;

  exports dev.ashlar.alloc.prim to
      dev.ashlar.alloc.segment,
      dev.ashlar.alloc.heap,
      dev.ashlar.alloc.secure,
      dev.ashlar.alloc.wasm,
      dev.ashlar.alloc.profiles,
      dev.ashlar.alloc.testkit;
  exports dev.ashlar.alloc.prim.macos to
      dev.ashlar.alloc.testkit;
  exports dev.ashlar.alloc.prim.windows to
      dev.ashlar.alloc.testkit;

  uses dev.ashlar.alloc.prim.VirtualMemoryProvider;

  provides dev.ashlar.alloc.prim.VirtualMemoryProvider with
      dev.ashlar.alloc.prim.linux.LinuxMemoryProvider,
      dev.ashlar.alloc.prim.macos.MacMemoryProvider,
      dev.ashlar.alloc.prim.windows.WindowsMemoryProvider;
}
