// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

/**
 * Numbers of the Linux kernel's interface, from {@code asm-generic/mman-common.h}, {@code
 * asm-generic/mman.h}, {@code linux/mman.h}, {@code linux/mempolicy.h}, {@code bits/confname.h} and
 * {@code asm-generic/errno-base.h}. They are the same on x86-64 and AArch64, except for the numbers
 * of system calls.
 */
final class LinuxConstants {

  static final int PROT_NONE = 0;
  static final int PROT_READ = 1;
  static final int PROT_WRITE = 2;

  static final int MAP_PRIVATE = 0x02;
  static final int MAP_FIXED = 0x10;
  static final int MAP_ANONYMOUS = 0x20;
  static final int MAP_NORESERVE = 0x4000;
  static final int MAP_HUGETLB = 0x40000;
  static final long MAP_FAILED = -1;

  static final int MADV_DONTNEED = 4;
  static final int MADV_FREE = 8;
  static final int MADV_HUGEPAGE = 14;
  static final int MADV_POPULATE_WRITE = 23;

  static final int MREMAP_MAYMOVE = 1;
  static final int MREMAP_FIXED = 2;
  static final int MREMAP_DONTUNMAP = 4;

  static final int MPOL_PREFERRED = 1;

  static final int SC_PAGESIZE = 30;
  static final int SC_PHYS_PAGES = 85;

  static final int EINTR = 4;

  /** Names of the error numbers from 0 on. */
  private static final String[] ERROR_NAMES = {
    "no error",
    "EPERM",
    "ENOENT",
    "ESRCH",
    "EINTR",
    "EIO",
    "ENXIO",
    "E2BIG",
    "ENOEXEC",
    "EBADF",
    "ECHILD",
    "EAGAIN",
    "ENOMEM",
    "EACCES",
    "EFAULT",
    "ENOTBLK",
    "EBUSY",
    "EEXIST",
    "EXDEV",
    "ENODEV",
    "ENOTDIR",
    "EISDIR",
    "EINVAL",
    "ENFILE",
    "EMFILE",
    "ENOTTY",
    "ETXTBSY",
    "EFBIG",
    "ENOSPC",
    "ESPIPE",
    "EROFS",
    "EMLINK",
    "EPIPE",
    "EDOM",
    "ERANGE",
    "EDEADLK",
    "ENAMETOOLONG",
    "ENOLCK",
    "ENOSYS"
  };

  private LinuxConstants() {}

  /** Returns the number of the system call {@code mbind}, from {@code asm/unistd.h}. */
  static long mbindNumber(String architecture) {
    return architecture.equals("aarch64") ? 235 : 237;
  }

  static String errorName(int errno) {
    return errno >= 0 && errno < ERROR_NAMES.length ? ERROR_NAMES[errno] : "errno " + errno;
  }
}
