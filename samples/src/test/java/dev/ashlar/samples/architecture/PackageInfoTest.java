// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.samples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each package says which layers it may use, and uses no other. */
class PackageInfoTest {

  private static final Pattern LAYER =
      Pattern.compile("Layer: .*?(?=\\n \\*\\n|\\n \\* <|\\n \\*/)", Pattern.DOTALL);
  private static final Pattern MODULE =
      Pattern.compile("dev\\.ashlar\\.(?:alloc|integrations)\\.[a-z]+");

  static Set<String> modules() {
    return FamilyModules.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void namesTheLayersThatThePackageUses(String module) throws IOException {
    Map<String, Set<String>> used = modulesUsedByPackage(module);
    for (Path folder : packageFolders(sourceRoot(module))) {
      Path info = folder.resolve("package-info.java");
      assertThat(info).exists();
      Matcher layer = LAYER.matcher(Files.readString(info));
      assertThat(layer.find()).as("%s has a sentence that begins with \"Layer:\"", info).isTrue();
      String sentence = layer.group();
      if (sentence.contains("every module of Ashlar")) {
        continue;
      }
      Set<String> named =
          MODULE
              .matcher(sentence)
              .results()
              .map(r -> r.group())
              .collect(Collectors.toCollection(TreeSet::new));
      if (module.startsWith("dev.ashlar.alloc.")) {
        assertThat(named)
            .as("the layers that %s names", info)
            .isSubsetOf(with(Layers.mayUse().get(module), module));
      }
      String name = sourceRoot(module).relativize(folder).toString().replace('/', '.');
      assertThat(used.getOrDefault(name, Set.of()))
          .as("the modules that package %s uses, of those it names", name)
          .isSubsetOf(named);
    }
  }

  /** The benchmarks are no named module, so they are told by their folder. */
  @Test
  void existsInTheBenchmarks() throws IOException {
    for (Path folder : packageFolders(FamilyModules.ROOT.resolve("benchmarks/src/main/java"))) {
      assertThat(folder.resolve("package-info.java"))
          .content()
          .as("package-info of %s", folder)
          .contains("Layer: ");
    }
  }

  private static Map<String, Set<String>> modulesUsedByPackage(String module) {
    Map<String, String> owners = FamilyModules.modulesByPackage();
    Map<String, Set<String>> used = new TreeMap<>();
    FamilyModules.classes(module)
        .forEach(
            (name, bytes) -> {
              if (name.lastIndexOf('/') > 0) {
                Set<String> of =
                    used.computeIfAbsent(
                        name.substring(0, name.lastIndexOf('/')).replace('/', '.'),
                        p -> new TreeSet<>());
                for (String p : ReferredPackages.of(bytes)) {
                  String owner = owners.get(p);
                  if (owner != null && !owner.equals(module)) {
                    of.add(owner);
                  }
                }
              }
            });
    return used;
  }

  private static Set<Path> packageFolders(Path sources) throws IOException {
    if (!Files.exists(sources)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(f -> f.toString().endsWith(".java") && !f.endsWith("module-info.java"))
          .map(Path::getParent)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Path sourceRoot(String module) {
    return FamilyModules.folder(module).resolve("src/main/java");
  }

  private static Set<String> with(Set<String> modules, String module) {
    Set<String> result = new TreeSet<>(modules);
    result.add(module);
    return result;
  }
}
