// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The native allocators of the machine. None of them has to be there. */
public enum NativeLibrary {
  MIMALLOC("libmimalloc.so.2", "libmimalloc2.0"),
  JEMALLOC("libjemalloc.so.2", "libjemalloc2"),
  TCMALLOC("libtcmalloc_minimal.so.4", "libtcmalloc-minimal4");

  private static final List<Path> ROOTS =
      List.of(Path.of("/usr/lib"), Path.of("/usr/local/lib"), Path.of("/usr/lib64"));

  private final String fileName;
  private final String debianPackage;

  NativeLibrary(String fileName, String debianPackage) {
    this.fileName = fileName;
    this.debianPackage = debianPackage;
  }

  /** How to get it. */
  public String howToGet() {
    return fileName + " is not installed; on Debian: apt-get install " + debianPackage;
  }

  /** Looks for it where distributions put libraries. */
  public Optional<Path> find() {
    return ROOTS.stream()
        .flatMap(NativeLibrary::withSubfolders)
        .map(folder -> folder.resolve(fileName))
        .filter(Files::isRegularFile)
        .findFirst();
  }

  /** Why it cannot be called from Java here, or empty if it can. */
  public Optional<String> whyNotLoadable() {
    if (find().isEmpty()) {
      return Optional.of(howToGet());
    }
    try {
      load();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(
          fileName
              + " is installed, but a running JVM cannot load it (as a rule for lack of static TLS;"
              + " GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384 may help)");
    }
  }

  @SuppressWarnings("restricted") // loading it is the point
  SymbolLookup load() {
    return SymbolLookup.libraryLookup(find().orElseThrow(), Arena.global());
  }

  private static Stream<Path> withSubfolders(Path root) {
    if (!Files.isDirectory(root)) {
      return Stream.empty();
    }
    try (Stream<Path> children = Files.list(root)) {
      List<Path> multiarch =
          children.filter(path -> path.getFileName().toString().contains("-linux-gnu")).toList();
      return Stream.concat(Stream.of(root), multiarch.stream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
