// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.samples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each module shows to others is what the text in {@code src/test/resources/surface} says.
 *
 * <p>After a change that is meant, run with {@code -Dashlar.surface.update=true} to rewrite the
 * texts, and read the difference.
 */
class PublicSurfaceTest {

  private static final String UPDATE = "ashlar.surface.update";
  private static final Path TEXTS =
      FamilyModules.ROOT.resolve("samples/src/test/resources/surface");

  @TempDir private Path temporary;

  static Set<String> modules() {
    return FamilyModules.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void isTheCommittedOne(String module) throws IOException {
    Path text = TEXTS.resolve(FamilyModules.artifact(module) + ".txt");
    String surface = describe(module);
    if (Boolean.getBoolean(UPDATE)) {
      Files.createDirectories(TEXTS);
      Files.writeString(text, surface);
    }
    assertThat(text)
        .as("the surface of %s; if the change is meant, rerun with -D%s=true", module, UPDATE)
        .exists()
        .hasContent(surface);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void isAtMostTheApiAndAnSpi(String module) {
    Set<String> exported =
        FamilyModules.descriptor(module).exports().stream()
            .filter(e -> !e.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(exported)
        .as("what %s exports to everyone", module)
        .isSubsetOf(module, module + ".spi");
  }

  /** Describes a module as the jar tool does, without its version and place. */
  private String describe(String module) {
    Path jar = FamilyModules.location(module);
    if (Files.isDirectory(jar)) {
      Path classes = jar;
      jar = temporary.resolve(module + ".jar");
      FamilyModules.run(
          "jar", List.of("--create", "--file", jar.toString(), "-C", classes.toString(), "."));
    }
    List<String> lines =
        FamilyModules.run("jar", List.of("--describe-module", "--file", jar.toString()))
            .lines()
            .filter(line -> !line.isBlank())
            .toList();
    // Everything between the two names the place of the jar; packages that are not exported are no
    // surface.
    return module
        + "\n"
        + lines.stream()
            .skip(1)
            .filter(line -> !line.startsWith("contains ") && !line.startsWith("main-class "))
            .map(line -> line + "\n")
            .collect(Collectors.joining());
  }
}
