// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limit of a container is read from both versions of control groups. */
class ContainerLimitTest {

  private static final long GIB = 1L << 30;
  private static final long HOST = 64 * GIB;

  @TempDir private Path root;

  private void write(String file, String contents) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, contents + "\n");
  }

  private long limit() {
    return ContainerLimit.read(root, HOST);
  }

  @Test
  void withoutGroupsTheHostIsTheLimit() {
    assertThat(limit()).isEqualTo(HOST);
  }

  @Test
  void aLimitOfVersionTwoHolds() throws IOException {
    write("proc/self/cgroup", "0::/");
    write("sys/fs/cgroup/memory.max", "1073741824");
    assertThat(limit()).isEqualTo(GIB);
  }

  @Test
  void maxIsNoLimit() throws IOException {
    write("proc/self/cgroup", "0::/");
    write("sys/fs/cgroup/memory.max", "max");
    assertThat(limit()).isEqualTo(HOST);
  }

  @Test
  void aMissingFileIsNoLimit() throws IOException {
    write("proc/self/cgroup", "0::/some/group");
    assertThat(limit()).isEqualTo(HOST);
  }

  @Test
  void aLimitBeyondTheHostIsTheHost() throws IOException {
    write("proc/self/cgroup", "0::/");
    write("sys/fs/cgroup/memory.max", Long.toString(2 * HOST));
    assertThat(limit()).isEqualTo(HOST);
  }

  @Test
  void aLimitOfVersionOneHolds() throws IOException {
    write("proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/box\n0::/");
    write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "3221225472");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
    assertThat(limit()).isEqualTo(3 * GIB);
  }

  @Test
  void theGreatestNumberOfVersionOneIsNoLimit() throws IOException {
    write("proc/self/cgroup", "4:memory:/box");
    write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854771712");
    assertThat(limit()).isEqualTo(HOST);
    write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854710272");
    assertThat(limit()).isEqualTo(HOST);
  }

  @Test
  void theLeastLimitOnThePathHolds() throws IOException {
    write("proc/self/cgroup", "0::/outer/inner");
    write("sys/fs/cgroup/outer/inner/memory.max", "max");
    write("sys/fs/cgroup/outer/memory.max", Long.toString(2 * GIB));
    assertThat(limit()).isEqualTo(2 * GIB);
    write("sys/fs/cgroup/outer/inner/memory.max", Long.toString(GIB));
    assertThat(limit()).isEqualTo(GIB);
  }

  /** Version 1 in a container: the path is the host's, the files are the container's. */
  @Test
  void aPathThatIsNotToBeSeenLeavesTheRoot() throws IOException {
    write("proc/self/cgroup", "4:memory:/docker/0123456789abcdef");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", Long.toString(GIB));
    assertThat(limit()).isEqualTo(GIB);
  }

  /** A group outside of what the process sees is named with dots. */
  @Test
  void aPathDoesNotLeaveTheHierarchy() throws IOException {
    write("proc/self/cgroup", "0::/../../outside");
    write("sys/memory.max", Long.toString(GIB));
    write("sys/outside/memory.max", Long.toString(GIB));
    assertThat(limit()).isEqualTo(HOST);
  }

  @Test
  void otherHierarchiesDoNotCount() throws IOException {
    write("proc/self/cgroup", "nonsense\n7:pids:/\n1:name=systemd:/");
    write("sys/fs/cgroup/memory.max", Long.toString(GIB));
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", Long.toString(GIB));
    assertThat(limit()).isEqualTo(HOST);
  }

  @Test
  void whatIsNoNumberIsNoLimit() throws IOException {
    write("proc/self/cgroup", "0::/");
    for (String contents : new String[] {"", "0", "-1", "many"}) {
      write("sys/fs/cgroup/memory.max", contents);
      assertThat(limit()).as(contents).isEqualTo(HOST);
    }
  }
}
