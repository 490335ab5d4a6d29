// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextInputsTest {

  @TempDir Path folder;

  private final List<String> documents = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  @Test
  void readsAFile() throws IOException {
    read(file("a.txt", "größe"));

    assertThat(documents).containsExactly("größe");
    assertThat(problems).isEmpty();
  }

  @Test
  void readsNestedFoldersByName() throws IOException {
    file("b/2.txt", "second");
    file("b/c/d/3.txt", "third");
    file("a.txt", "first");
    Files.createDirectories(folder.resolve("b/empty"));

    read(folder);

    assertThat(documents).containsExactly("first", "second", "third");
    assertThat(problems).isEmpty();
  }

  @Test
  void saysThatAFolderIsEmpty() throws IOException {
    Files.createDirectories(folder.resolve("x/y"));

    read(folder);

    assertThat(problems).containsExactly("folder is empty: " + folder);
  }

  @Test
  void leavesOutWhatIsNotText() throws IOException {
    file("a.txt", "text");
    Path binary = file("b.bin", "ab\0cd");
    Path late = file("c.txt", "x".repeat(TextReader.SNIFFED_BYTES) + '\0');

    read(folder);

    assertThat(documents).hasSize(2).first().isEqualTo("text");
    assertThat(documents.getLast()).hasSize((int) Files.size(late));
    assertThat(problems).containsExactly("not a text file, left out: " + binary);
  }

  @Test
  void leavesOutLinksInFolders() throws IOException {
    Path text = file("a.txt", "text");
    Files.createSymbolicLink(folder.resolve("b.txt"), text);
    Files.createSymbolicLink(folder.resolve("loop"), folder);

    read(folder);

    assertThat(documents).containsExactly("text");
    assertThat(problems).isEmpty();
  }

  @Test
  void readsALinkThatIsNamed() throws IOException {
    read(Files.createSymbolicLink(folder.resolve("link"), file("a.txt", "text")));

    assertThat(documents).containsExactly("text");
  }

  @Test
  void readsTheEntriesOfAZip() throws IOException {
    Path zip = zip("a.zip", "z.txt", "first", "folder/", "", "folder/a.txt", "second");

    read(zip);

    assertThat(documents).containsExactly("first", "second");
    assertThat(problems).isEmpty();
  }

  @Test
  void knowsAZipByItsContents() throws IOException {
    read(zip("archive", "a.txt", "text"));

    assertThat(documents).containsExactly("text");
  }

  @Test
  void leavesOutZipEntriesThatAreNotText() throws IOException {
    Path zip = zip("a.zip", "a.bin", "\0", "b.txt", "text");

    read(zip);

    assertThat(documents).containsExactly("text");
    assertThat(problems).containsExactly("not a text file, left out: " + zip + "!/a.bin");
  }

  @Test
  void leavesOutZipsInFolders() throws IOException {
    Path zip = zip("a.zip", "a.txt", "text");

    read(folder);

    assertThat(documents).isEmpty();
    assertThat(problems).containsExactly("not a text file, left out: " + zip);
  }

  @Test
  void saysThatAZipIsEmpty() throws IOException {
    Path zip = zip("a.zip");

    read(zip);

    assertThat(problems).containsExactly("zip is empty: " + zip);
  }

  @Test
  void saysThatAZipIsBroken() throws IOException {
    Path zip = zip("a.zip", "a.txt", "text ".repeat(1000));
    byte[] bytes = Files.readAllBytes(zip);
    Files.write(zip, Arrays.copyOf(bytes, bytes.length / 2));

    read(zip);

    assertThat(documents).isEmpty();
    assertThat(problems).singleElement().asString().startsWith("cannot read zip " + zip + ": ");
  }

  @Test
  void saysThatAFileIsNoZip() throws IOException {
    Path zip = file("a.zip", "this is no zip");

    read(zip);

    assertThat(documents).isEmpty();
    assertThat(problems).singleElement().asString().startsWith("cannot read zip " + zip + ": ");
  }

  @Test
  void readsOnAfterADamagedZipEntry() throws IOException {
    Path zip = zip("a.zip", "a.txt", "first", "b.txt", "second");
    byte[] bytes = Files.readAllBytes(zip);
    // The first entry's compressed data: after a local header of 30 bytes and the name.
    bytes[30 + "a.txt".length()] ^= 0x7F;
    Files.write(zip, bytes);

    read(zip);

    assertThat(documents).containsExactly("second");
    assertThat(problems).singleElement().asString().startsWith("cannot read " + zip + "!/a.txt: ");
  }

  @Test
  void saysThatAFileCannotBeRead() {
    Path missing = folder.resolve("missing");

    read(missing);

    assertThat(problems).containsExactly("cannot read " + missing + ": no such file or folder");
  }

  @Test
  void cutsTheTextAtTheLimit() throws IOException {
    file("a.txt", "12345");
    file("b.txt", "67890");
    file("c.txt", "never");
    TextInputs inputs = inputs(8);

    inputs.read(folder);

    assertThat(documents).containsExactly("12345", "678");
    assertThat(inputs.limitReached()).isTrue();
    assertThat(problems).isEmpty();
  }

  @Test
  void isNotCutByALimitThatItFits() throws IOException {
    TextInputs inputs = inputs(5);

    inputs.read(file("a.txt", "12345"));

    assertThat(documents).containsExactly("12345");
    assertThat(inputs.limitReached()).isFalse();
  }

  @Test
  void readsAFileThatIsLongerThanAnyBuffer() throws IOException {
    String text = "0123456789".repeat(100_000);

    read(file("a.txt", text));

    assertThat(documents).containsExactly(text);
  }

  private void read(Path input) {
    inputs(1 << 30).read(input);
  }

  private TextInputs inputs(long limit) {
    return new TextInputs(
        limit, (text, length) -> documents.add(new String(text, 0, length, UTF_8)), problems::add);
  }

  private Path file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private Path zip(String name, String... namesAndTexts) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
        zip.write(namesAndTexts[i + 1].getBytes(UTF_8));
        zip.closeEntry();
      }
    }
    return file;
  }
}
