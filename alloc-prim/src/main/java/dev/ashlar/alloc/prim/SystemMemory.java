package dev.ashlar.alloc.prim;

import java.util.ServiceLoader;

/** The holder of this process's binding, looked up on first use. */
final class SystemMemory {

  static final VirtualMemory INSTANCE = find();

  private SystemMemory() {}

  private static VirtualMemory find() {
    for (VirtualMemoryProvider provider :
        ServiceLoader.load(
            VirtualMemoryProvider.class, SystemMemory.class.getClassLoader())) {
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
