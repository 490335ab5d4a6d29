// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import java.nio.file.Path;

/**
 * How much memory the control groups of this process allow it.
 *
 * <p>{@code /proc/self/cgroup} has a line for each hierarchy: {@code 0::/path} for version 2 and
 * {@code 4:memory:/path} for the memory of version 1. Each group on the path has a limit, and the
 * least of them holds. In a container the path may be the host's, of which only the root is to be
 * seen; what is not there has no limit. "No limit" is {@code max} in version 2, and in version 1 a
 * number that is beyond all memory.
 */
final class ContainerLimit {

  private static final String GROUPS = "proc/self/cgroup";
  private static final String V2 = "sys/fs/cgroup";
  private static final String V2_LIMIT = "memory.max";
  private static final String V1 = "sys/fs/cgroup/memory";
  private static final String V1_LIMIT = "memory.limit_in_bytes";

  private ContainerLimit() {}

  /**
   * Returns the limit, or the machine's memory if that is less or there is none.
   *
   * @param root the root directory
   * @param physicalBytes the machine's memory
   */
  static long read(Path root, long physicalBytes) {
    long limit = physicalBytes;
    for (String line : KernelFiles.linesOrNone(root.resolve(GROUPS))) {
      String[] fields = line.split(":", 3);
      if (fields.length < 3) {
        continue;
      }
      if (fields[0].equals("0") && fields[1].isEmpty()) {
        limit = Math.min(limit, along(root.resolve(V2), fields[2], V2_LIMIT));
      } else if ((',' + fields[1] + ',').contains(",memory,")) {
        limit = Math.min(limit, along(root.resolve(V1), fields[2], V1_LIMIT));
      }
    }
    return limit;
  }

  /** Returns the least limit of the groups from one up to the root of a hierarchy. */
  private static long along(Path hierarchy, String group, String file) {
    Path top = hierarchy.normalize();
    Path at = top.resolve(group.substring(Math.min(1, group.length()))).normalize();
    long limit = Long.MAX_VALUE;
    while (at != null && at.startsWith(top)) {
      limit = Math.min(limit, limit(at.resolve(file)));
      at = at.getParent();
    }
    return limit;
  }

  private static long limit(Path file) {
    for (String line : KernelFiles.linesOrNone(file)) {
      try {
        long limit = Long.parseLong(line.strip());
        return limit > 0 ? limit : Long.MAX_VALUE;
      } catch (NumberFormatException e) {
        return Long.MAX_VALUE; // "max"
      }
    }
    return Long.MAX_VALUE;
  }
}
