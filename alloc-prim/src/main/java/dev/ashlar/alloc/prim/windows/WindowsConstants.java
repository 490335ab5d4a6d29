// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.windows;

import java.util.Map;

/** Numbers of the Windows API, from {@code winnt.h}, {@code winerror.h} and {@code bcrypt.h}. */
public final class WindowsConstants {

  /** Gives pages backing. */
  public static final int MEM_COMMIT = 0x1000;

  /** Takes address space. */
  public static final int MEM_RESERVE = 0x2000;

  /** Takes the backing of pages. */
  public static final int MEM_DECOMMIT = 0x4000;

  /** Gives a reservation back. */
  public static final int MEM_RELEASE = 0x8000;

  /** Says that the contents of pages are of no interest. */
  public static final int MEM_RESET = 0x80000;

  /** Takes large pages. */
  public static final int MEM_LARGE_PAGES = 0x20000000;

  /** Any access faults. */
  public static final int PAGE_NOACCESS = 0x01;

  /** Reading is allowed. */
  public static final int PAGE_READONLY = 0x02;

  /** Reading and writing are allowed. */
  public static final int PAGE_READWRITE = 0x04;

  /** Not enough memory. */
  public static final int ERROR_NOT_ENOUGH_MEMORY = 8;

  /** The range is taken, or is not in the state that the call asks for. */
  public static final int ERROR_INVALID_ADDRESS = 487;

  /** The commit charge is at its limit. */
  public static final int ERROR_COMMITMENT_LIMIT = 1455;

  /** The process may not take large pages. */
  public static final int ERROR_PRIVILEGE_NOT_HELD = 1314;

  static final long MEM_EXTENDED_PARAMETER_ADDRESS_REQUIREMENTS = 1;

  static final int JOB_OBJECT_EXTENDED_LIMIT_INFORMATION = 9;
  static final int JOB_OBJECT_LIMIT_PROCESS_MEMORY = 0x100;
  static final int JOB_OBJECT_LIMIT_JOB_MEMORY = 0x200;

  static final int BCRYPT_USE_SYSTEM_PREFERRED_RNG = 2;

  /** What {@code GetCurrentProcess} returns. */
  static final long CURRENT_PROCESS = -1;

  private static final Map<Integer, String> ERROR_NAMES =
      Map.of(
          5, "ERROR_ACCESS_DENIED",
          6, "ERROR_INVALID_HANDLE",
          8, "ERROR_NOT_ENOUGH_MEMORY",
          87, "ERROR_INVALID_PARAMETER",
          487, "ERROR_INVALID_ADDRESS",
          998, "ERROR_NOACCESS",
          1314, "ERROR_PRIVILEGE_NOT_HELD",
          1450, "ERROR_NO_SYSTEM_RESOURCES",
          1455, "ERROR_COMMITMENT_LIMIT");

  private WindowsConstants() {}

  /**
   * Returns the name of an error number.
   *
   * @param error what {@code GetLastError} returned
   * @return its name
   */
  public static String errorName(int error) {
    return ERROR_NAMES.getOrDefault(error, "error " + error);
  }
}
