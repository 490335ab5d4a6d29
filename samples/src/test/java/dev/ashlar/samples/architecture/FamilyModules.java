// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.samples.architecture;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** The modules of Ashlar, built, as they lie on this test's module path and class path. */
final class FamilyModules {

  static final String PREFIX = "dev.ashlar.";

  /** The root of the source tree. */
  static final Path ROOT =
      Path.of(Objects.requireNonNull(System.getProperty("basedir"), "set by Surefire"))
          .toAbsolutePath()
          .getParent();

  private static final Map<String, ModuleReference> ALL = find();

  private FamilyModules() {}

  /** Returns every module by its name, in the order of the names. */
  static Map<String, ModuleReference> all() {
    return ALL;
  }

  /** Returns the jar or the class folder of a module. */
  static Path location(String module) {
    return Path.of(ALL.get(module).location().orElseThrow());
  }

  /** Returns the name of the artifact that holds a module. */
  static String artifact(String module) {
    return module.substring(PREFIX.length()).replace('.', '-');
  }

  /** Returns the folder of a module: the integrations have one of theirs around them. */
  static Path folder(String module) {
    return ROOT.resolve(
        module.startsWith(Layers.INTEGRATIONS)
            ? module.substring(PREFIX.length()).replace('.', '/')
            : artifact(module));
  }

  /** Returns which module each package of the family belongs to. */
  static Map<String, String> modulesByPackage() {
    Map<String, String> result = new TreeMap<>();
    ALL.forEach(
        (name, reference) -> reference.descriptor().packages().forEach(p -> result.put(p, name)));
    return result;
  }

  /** Returns the bytes of each class of a module by the resource's name. */
  static Map<String, byte[]> classes(String module) {
    Map<String, byte[]> result = new LinkedHashMap<>();
    try (ModuleReader reader = ALL.get(module).open();
        Stream<String> names = reader.list()) {
      for (String name : names.filter(n -> n.endsWith(".class")).sorted().toList()) {
        ByteBuffer buffer = reader.read(name).orElseThrow();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        reader.release(buffer);
        result.put(name, bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return result;
  }

  /** Runs a tool of the running JDK and returns what it prints. */
  static String run(String tool, List<String> arguments) {
    ToolProvider provider =
        ToolProvider.findFirst(tool)
            .orElseThrow(() -> new AssertionError("this JDK has no " + tool));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        provider.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
    if (code != 0) {
      throw new AssertionError(tool + " " + arguments + " failed: " + out + err);
    }
    return out.toString();
  }

  private static Map<String, ModuleReference> find() {
    Map<String, ModuleReference> result = new TreeMap<>();
    Stream.of("jdk.module.path", "java.class.path")
        .flatMap(p -> Pattern.compile(File.pathSeparator).splitAsStream(System.getProperty(p, "")))
        .filter(element -> !element.isEmpty())
        .map(Path::of)
        .filter(Files::exists)
        .flatMap(FamilyModules::modulesIn)
        .filter(reference -> reference.descriptor().name().startsWith(PREFIX))
        .forEach(reference -> result.putIfAbsent(reference.descriptor().name(), reference));
    return result;
  }

  private static Stream<ModuleReference> modulesIn(Path element) {
    try {
      return ModuleFinder.of(element).findAll().stream();
    } catch (FindException e) {
      return Stream.empty(); // a library whose file name gives no module name
    }
  }

  /** Returns the descriptor of a module. */
  static ModuleDescriptor descriptor(String module) {
    return ALL.get(module).descriptor();
  }
}
