// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import dev.ashlar.alloc.prim.VirtualMemoryException;
import java.util.ArrayList;
import java.util.List;

/** Linux's calls, with some refused and all written down. */
final class RecordedLinuxCalls implements LinuxCalls {

  private final LinuxCalls real = new NativeLinuxCalls();

  /** What was called, as text. */
  final List<String> made = new ArrayList<>();

  /** Advice that is refused. */
  int refusedAdvice = -1;

  /** Calls with explicit large pages go to ordinary ones from this one on; 0 refuses all. */
  int largePagesLeft;

  /** Whether preferences for a node are refused. */
  boolean refusesNodes;

  private void note(String call, Object... arguments) {
    made.add(call + List.of(arguments));
  }

  private static VirtualMemoryException refused(String call, String error) {
    return new VirtualMemoryException(call, 0, 0, error);
  }

  @Override
  public long mmap(long address, long bytes, int protection, int flags) {
    if ((flags & LinuxConstants.MAP_HUGETLB) == 0) {
      note("mmap", bytes, protection, flags & LinuxConstants.MAP_FIXED);
      return real.mmap(address, bytes, protection, flags);
    }
    note("mmap large", bytes);
    if (largePagesLeft-- <= 0) {
      real.munmap(address, bytes); // the worst that the kernel may do before it refuses
      throw refused("mmap", "ENOMEM");
    }
    return real.mmap(address, bytes, protection, flags & ~LinuxConstants.MAP_HUGETLB);
  }

  @Override
  public void munmap(long address, long bytes) {
    note("munmap", bytes);
    real.munmap(address, bytes);
  }

  @Override
  public void mprotect(long address, long bytes, int protection) {
    note("mprotect", bytes, protection);
    real.mprotect(address, bytes, protection);
  }

  @Override
  public void madvise(long address, long bytes, int advice) {
    note("madvise", bytes, advice);
    if (advice == refusedAdvice) {
      throw refused("madvise", "EINVAL");
    }
    real.madvise(address, bytes, advice);
  }

  @Override
  public void mremap(long address, long bytes, int flags, long newAddress) {
    note("mremap", bytes, flags);
    real.mremap(address, bytes, flags, newAddress);
  }

  @Override
  public void mbind(long address, long bytes, int mode, long nodes) {
    note("mbind", bytes, mode, nodes);
    if (refusesNodes) {
      throw refused("mbind", "EPERM");
    }
  }

  @Override
  public long sysconf(int name) {
    return real.sysconf(name);
  }

  @Override
  public void getrandom(byte[] bytes) {
    real.getrandom(bytes);
  }
}
