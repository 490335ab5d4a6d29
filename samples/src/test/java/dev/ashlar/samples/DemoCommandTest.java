// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoCommandTest {

  private static final List<String> ALLOCATORS =
      List.of("ashlar-raw", "ashlar-segment", "jdk-arena", "malloc-ffm");

  @TempDir Path folder;

  private Path texts;
  private Path empty;

  @BeforeEach
  void makeInputs() throws IOException {
    texts = Files.createDirectory(folder.resolve("texts"));
    empty = Files.createDirectory(folder.resolve("empty"));
    for (int i = 0; i < 30; i++) {
      Files.writeString(texts.resolve(i + ".txt"), "common größe word" + i + " word" + i / 2);
    }
  }

  @Test
  void buildsTheSameIndexOnAllAllocators() throws IOException {
    Path file = folder.resolve("figures.json");

    ToolRun run =
        demo("--window", "7", "--rounds", "2", "--json", file.toString(), texts.toString());

    assertThat(run.exitCode()).describedAs(run.err()).isZero();
    assertThat(run.out()).contains("index identical on all allocators").contains(ALLOCATORS);
    JsonNode json = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(json.get("identical").booleanValue()).isTrue();
    assertThat(json.get("rounds").intValue()).isEqualTo(2);
    assertThat(json.get("input").get("window").intValue()).isEqualTo(7);
    JsonNode arms = json.get("arms");
    assertThat(IntStream.range(0, arms.size()).mapToObj(i -> arms.get(i).get("allocator")))
        .extracting(JsonNode::stringValue)
        .containsExactlyElementsOf(ALLOCATORS);
    for (JsonNode arm : arms) {
      assertThat(arm.get("documents").intValue()).isEqualTo(30);
      assertThat(arm.get("operations").longValue()).isPositive();
      assertThat(arm.get("nsPerOp").doubleValue()).isPositive();
      assertThat(arm.get("checksum")).isEqualTo(arms.get(0).get("checksum"));
    }
  }

  @Test
  void goesOnWithTheRestOfItsInputs() throws IOException {
    Path binary = Files.write(folder.resolve("binary"), new byte[10]);
    String one = "ashlar-raw";

    ToolRun run =
        demo(
            "--rounds",
            "1",
            "--allocator",
            one + "," + one,
            empty.toString(),
            binary.toString(),
            texts.toString());

    assertThat(run.exitCode()).describedAs(run.err()).isZero();
    assertThat(run.errLines())
        .startsWith(
            "ashlar demo: folder is empty: " + empty,
            "ashlar demo: not a text file, left out: " + binary);
    assertThat(run.out().lines()).filteredOn(line -> line.startsWith(one)).hasSize(2);
    assertThat(run.out()).doesNotContain("jdk-arena");
  }

  @Test
  void namesEachMissingInput() {
    Path missing = folder.resolve("missing");
    Path gone = folder.resolve("gone");

    ToolRun run = demo(texts.toString(), missing.toString(), gone.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines())
        .containsExactly(
            "ashlar demo: no such file or folder: " + missing,
            "ashlar demo: no such file or folder: " + gone);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void saysInOneLineThatTheOnlyFolderIsEmpty() {
    ToolRun run = demo(empty.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines()).containsExactly("ashlar demo: folder is empty: " + empty);
  }

  @Test
  void saysThatThereIsNothingToIndex() throws IOException {
    Path blank = Files.writeString(folder.resolve("blank.txt"), " \n");

    ToolRun run = demo(blank.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines()).containsExactly("ashlar demo: there are no words to index");
  }

  @Test
  void showsAScreenfulOfProblemsAtMost() throws IOException {
    Path binaries = Files.createDirectory(folder.resolve("binaries"));
    for (int i = 0; i < 50; i++) {
      Files.write(binaries.resolve("b" + i), new byte[1]);
    }

    ToolRun run = demo(binaries.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines())
        .hasSize(22)
        .contains("ashlar demo: and 30 more were left out")
        .endsWith("ashlar demo: there are no words to index");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jemalloc", "ashlar-raw,jemalloc", "", "ashlar-raw,,jdk-arena"})
  void refusesAnAllocatorThatItDoesNotKnow(String names) {
    ToolRun run = demo("--allocator", names, texts.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines().getFirst()).contains("unknown allocator").contains(ALLOCATORS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--limit", "--window", "--rounds"})
  void refusesFiguresOutOfRange(String option) {
    for (String value : List.of("0", "-1", "2000000000", "x")) {
      ToolRun run = demo(option, value, texts.toString());

      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.errLines().getFirst())
          .contains("Invalid value for option '" + option + "'")
          .contains(value);
    }
  }

  @Test
  void refusesAJsonFileThatCannotBeWritten() {
    ToolRun missing = demo("--json", folder.resolve("none/f.json").toString(), texts.toString());
    ToolRun isFolder = demo("--json", empty.toString(), texts.toString());

    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.errLines()).singleElement().asString().contains("there is no folder");
    assertThat(isFolder.exitCode()).isEqualTo(2);
    assertThat(isFolder.errLines()).singleElement().asString().contains("it is a folder");
  }

  private static ToolRun demo(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "demo";
    System.arraycopy(args, 0, all, 1, args.length);
    return ToolRun.of(all);
  }
}
