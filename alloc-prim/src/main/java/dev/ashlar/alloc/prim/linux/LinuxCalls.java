// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import dev.ashlar.alloc.prim.VirtualMemoryException;

/**
 * The calls that Linux's binding makes, with the arguments of the C library's functions of the same
 * names and the numbers of {@link LinuxConstants}. Every refusal is a {@link
 * VirtualMemoryException} with the name of the error number.
 */
interface LinuxCalls {

  /** Maps anonymous memory; returns its address. */
  long mmap(long address, long bytes, int protection, int flags);

  void munmap(long address, long bytes);

  void mprotect(long address, long bytes, int protection);

  void madvise(long address, long bytes, int advice);

  /** Moves the pages of a mapping to an address, without a change of size. */
  void mremap(long address, long bytes, int flags, long newAddress);

  /** Sets the memory policy of a range, for nodes 0 to 63. */
  void mbind(long address, long bytes, int mode, long nodes);

  /** Returns a number of the system's configuration, not negative. */
  long sysconf(int name);

  /** Fills an array with random bytes. */
  void getrandom(byte[] bytes);
}
