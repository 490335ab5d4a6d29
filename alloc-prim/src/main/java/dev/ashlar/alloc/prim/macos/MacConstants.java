// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.macos;

import java.util.Map;

/**
 * Numbers of the macOS interface, from {@code sys/mman.h}, {@code unistd.h}, {@code sys/errno.h},
 * {@code sys/random.h} and {@code mach/task_info.h}.
 */
public final class MacConstants {

  /** Any access faults. */
  public static final int PROT_NONE = 0;

  /** Reading is allowed. */
  public static final int PROT_READ = 1;

  /** Writing is allowed. */
  public static final int PROT_WRITE = 2;

  /** Changes are not shared. */
  public static final int MAP_PRIVATE = 0x02;

  /** Replaces what is mapped at the address. */
  public static final int MAP_FIXED = 0x10;

  /** Reserves no swap space. */
  public static final int MAP_NORESERVE = 0x40;

  /** Maps no file. */
  public static final int MAP_ANON = 0x1000;

  /** The pages may be taken, and do not count for the process any more. */
  public static final int MADV_FREE_REUSABLE = 7;

  /** The pages count for the process again. */
  public static final int MADV_FREE_REUSE = 8;

  /** The most that one call to {@code getentropy} gives. */
  public static final int MOST_ENTROPY_BYTES = 256;

  static final long MAP_FAILED = -1;

  static final int SC_PAGESIZE = 29;

  static final int TASK_VM_INFO = 22;

  /** The size of {@code task_vm_info}, revision 1, in its units of four bytes. */
  static final int TASK_VM_INFO_COUNT = 38;

  static final long RESIDENT_SIZE_OFFSET = 16;
  static final long RESIDENT_SIZE_PEAK_OFFSET = 24;
  static final long PHYS_FOOTPRINT_OFFSET = 144;

  private static final Map<Integer, String> ERROR_NAMES =
      Map.of(
          1, "EPERM",
          4, "EINTR",
          5, "EIO",
          9, "EBADF",
          12, "ENOMEM",
          13, "EACCES",
          14, "EFAULT",
          22, "EINVAL",
          35, "EAGAIN",
          45, "ENOTSUP");

  private MacConstants() {}

  /**
   * Returns the name of an error number.
   *
   * @param errno the number
   * @return its name
   */
  public static String errorName(int errno) {
    return ERROR_NAMES.getOrDefault(errno, "errno " + errno);
  }
}
