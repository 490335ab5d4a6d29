// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

  @TempDir private Path folder;

  @Test
  void itTakesThePlaceOfTheOldOneAndLeavesNothingElse() throws IOException {
    Path file = folder.resolve("results.json");
    WholeFile.write(file, "old and longer");
    WholeFile.write(file, "new");
    assertThat(file).hasContent("new");
    assertThat(folder.toFile().list()).containsExactly("results.json");
  }

  @Test
  void aReaderThatHasTheOldOneOpenStillReadsAllOfIt() throws IOException {
    Path file = folder.resolve("results.json");
    WholeFile.write(file, "old");
    try (var reader = Files.newBufferedReader(file)) {
      WholeFile.write(file, "new");
      assertThat(reader.readLine()).isEqualTo("old");
    }
  }

  @Test
  void whatCannotBeWrittenLeavesNothing() throws IOException {
    Path file = Files.createDirectories(folder.resolve("full/inside")).getParent();
    assertThatThrownBy(() -> WholeFile.write(file, "new")).isInstanceOf(IOException.class);
    assertThat(folder.toFile().list()).containsExactly("full");
  }
}
