// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults that people reported in other allocators, tried on this one: the end of the process. */
class ReportedShutdownFaultsTest {

  private static final int PROCESSES = 6;

  @TempDir private Path folder;

  // https://github.com/netty/netty/pull/12682
  @Test
  @DisplayName("B05: the allocator of the process works until the process has ended")
  void theAllocatorOfTheProcessWorksUntilItsEnd() throws IOException, InterruptedException {
    for (int i = 0; i < PROCESSES; i++) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-XX:ErrorFile=" + folder.resolve("crash.log"),
                  "--enable-native-access=ALL-UNNAMED",
                  "--illegal-native-access=deny",
                  "--class-path",
                  System.getProperty("java.class.path"),
                  ShutdownProgram.class.getName())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      assertThat(output.lines()).containsExactly("the cleaner freed", "the hook freed");
      assertThat(folder).isEmptyDirectory();
    }
  }
}
