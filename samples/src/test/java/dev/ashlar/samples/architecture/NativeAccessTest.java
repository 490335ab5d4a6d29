// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.samples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Native calls and restricted methods are in one module, as {@code jnativescan} finds them. */
class NativeAccessTest {

  /** The demo compares Ashlar with the C library's malloc, which these classes call. */
  private static final Set<String> MALLOC_ARM =
      Set.of("dev.ashlar.samples.index.CMallocStore", "dev.ashlar.samples.index.OffHeap");

  private static final Pattern SCANNED_CLASS = Pattern.compile("^  (dev\\.ashlar\\.[\\w.$]+):$");

  @Test
  void onlyTheLowestModuleOfTheLibraryNeedsNativeAccess() {
    List<String> library =
        FamilyModules.all().keySet().stream()
            .filter(m -> !m.equals("dev.ashlar.alloc.testkit") && !m.equals("dev.ashlar.samples"))
            .filter(m -> !m.startsWith(Layers.INTEGRATIONS))
            .toList();
    String path =
        library.stream()
            .map(m -> FamilyModules.location(m).toString())
            .collect(Collectors.joining(File.pathSeparator));

    String printed =
        FamilyModules.run(
            "jnativescan",
            List.of(
                "--print-native-access",
                "--module-path",
                path,
                "--add-modules",
                String.join(",", library)));

    assertThat(printed.strip()).isEqualTo("dev.ashlar.alloc.prim");
  }

  @Test
  void theTestkitNeedsNoNativeAccess() {
    assertThat(classesWithNativeAccess("dev.ashlar.alloc.testkit")).isEmpty();
  }

  @Test
  void theIntegrationsNeedNoNativeAccess() {
    assertThat(classesWithNativeAccess(Layers.INTEGRATIONS + "chicory")).isEmpty();
  }

  @Test
  void onlyTheMallocArmOfTheSamplesNeedsNativeAccess() {
    assertThat(classesWithNativeAccess("dev.ashlar.samples")).isEqualTo(new TreeSet<>(MALLOC_ARM));
  }

  /** Scans a module alone and from the class path, where its dependencies need not be found. */
  private static Set<String> classesWithNativeAccess(String module) {
    String printed =
        FamilyModules.run(
            "jnativescan", List.of("--class-path", FamilyModules.location(module).toString()));
    Set<String> classes = new TreeSet<>();
    for (String line : printed.lines().toList()) {
      Matcher matcher = SCANNED_CLASS.matcher(line);
      if (matcher.matches()) {
        classes.add(matcher.group(1));
      }
    }
    return classes;
  }
}
