// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Reads the texts of files, folders and zips, always in the same order.
 *
 * <p>A folder is read with all folders in it, by name; links inside it are left out. A zip is read
 * when it is named itself, in its own order. What is no text, or cannot be read, is one line to the
 * problems and is left out.
 */
public final class TextInputs {

  private static final byte[] ZIP_MAGIC = {'P', 'K'};

  private final TextReader reader;
  private final DocumentSink documents;
  private final Consumer<String> problems;

  /** Takes documents in order. */
  @FunctionalInterface
  public interface DocumentSink {

    /**
     * Takes one document.
     *
     * @param text the array that holds the text; the sink may change it, the next document
     *     overwrites it
     * @param length how many of the bytes are text
     */
    void document(byte[] text, int length);
  }

  /**
   * Makes a reader of inputs.
   *
   * @param limitBytes how many bytes of text are read in all; the last document is cut to fit
   * @param documents what takes the documents
   * @param problems what takes a line for each thing that is left out
   */
  public TextInputs(long limitBytes, DocumentSink documents, Consumer<String> problems) {
    this.reader = new TextReader(limitBytes);
    this.documents = documents;
    this.problems = problems;
  }

  /**
   * Tells whether there was more text than the limit allows.
   *
   * @return true once a text was cut; nothing more is read then
   */
  public boolean limitReached() {
    return reader.limitReached();
  }

  /**
   * Reads one input.
   *
   * @param input a file, a folder or a zip
   */
  public void read(Path input) {
    if (Files.isDirectory(input)) {
      if (!readFolder(input)) {
        problems.accept("folder is empty: " + input);
      }
    } else if (isZip(input)) {
      readZip(input);
    } else {
      readFile(input);
    }
  }

  /** Reads a folder and tells whether there was anything in it or in the folders below it. */
  private boolean readFolder(Path folder) {
    boolean found = false;
    for (Path entry : entries(folder)) {
      if (limitReached()) {
        return true;
      }
      if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
        found |= readFolder(entry);
      } else {
        found = true;
        if (!Files.isSymbolicLink(entry)) {
          readFile(entry);
        }
      }
    }
    return found;
  }

  private List<Path> entries(Path folder) {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    } catch (IOException e) {
      problems.accept("cannot read folder " + folder + ": " + IoProblem.describe(e));
    }
    Collections.sort(entries);
    return entries;
  }

  private void readFile(Path file) {
    if (limitReached()) {
      return;
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      problems.accept("not a file, left out: " + file);
      return;
    }
    try (InputStream in = Files.newInputStream(file)) {
      readText(in, file.toString());
    } catch (IOException e) {
      problems.accept("cannot read " + file + ": " + IoProblem.describe(e));
    }
  }

  private void readZip(Path file) {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      if (zip.size() == 0) {
        problems.accept("zip is empty: " + file);
      }
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (limitReached()) {
          return;
        }
        if (!entry.isDirectory()) {
          readEntry(zip, entry, file + "!/" + entry.getName());
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      problems.accept("cannot read zip " + file + ": " + IoProblem.describe(e));
    }
  }

  private void readEntry(ZipFile zip, ZipEntry entry, String name) {
    try (InputStream in = zip.getInputStream(entry)) {
      readText(in, name);
    } catch (IOException | IllegalArgumentException e) {
      problems.accept("cannot read " + name + ": " + IoProblem.describe(e));
    }
  }

  private void readText(InputStream in, String name) throws IOException {
    if (reader.read(in)) {
      documents.document(reader.text(), reader.length());
    } else {
      problems.accept("not a text file, left out: " + name);
    }
  }

  private static boolean isZip(Path file) {
    String name = String.valueOf(file.getFileName());
    if (name.endsWith(".zip") || name.endsWith(".jar")) {
      return Files.isRegularFile(file);
    }
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(4);
      // A local file header or, in a zip without entries, the end of the directory.
      return head.length == 4
          && head[0] == ZIP_MAGIC[0]
          && head[1] == ZIP_MAGIC[1]
          && (head[2] == 3 && head[3] == 4 || head[2] == 5 && head[3] == 6);
    } catch (IOException e) {
      return false; // reading it as a file says why
    }
  }
}
