// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

/**
 * Numbers of the Linux kernel's interface, from {@code asm-generic/mman-common.h}, {@code
 * asm-generic/mman.h}, {@code bits/confname.h} and {@code asm-generic/errno-base.h}. They are the
 * same on x86-64 and AArch64.
 */
final class LinuxConstants {

  static final int PROT_NONE = 0;
  static final int PROT_READ = 1;
  static final int PROT_WRITE = 2;

  static final int MAP_PRIVATE = 0x02;
  static final int MAP_ANONYMOUS = 0x20;
  static final int MAP_NORESERVE = 0x4000;
  static final long MAP_FAILED = -1;

  static final int MADV_DONTNEED = 4;

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

  static String errorName(int errno) {
    return errno >= 0 && errno < ERROR_NAMES.length ? ERROR_NAMES[errno] : "errno " + errno;
  }
}
