// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.samples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each module uses only modules to its left in the layer order. */
class LayerOrderTest {

  /** Modules whose users get no dependency but the JDK. */
  private static final Set<String> WITHOUT_THIRD_PARTIES =
      Layers.mayUse().keySet().stream()
          .filter(m -> !m.equals("dev.ashlar.alloc.testkit") && !m.equals("dev.ashlar.samples"))
          .filter(m -> !m.startsWith(Layers.INTEGRATIONS))
          .collect(Collectors.toSet());

  @Test
  void everyModuleHasAPlaceInTheOrder() {
    assertThat(FamilyModules.all().keySet())
        .containsExactlyInAnyOrderElementsOf(Layers.mayUse().keySet());
  }

  @Test
  void descriptorsRequireOnlyWhatIsToTheLeft() {
    Layers.mayUse()
        .forEach(
            (module, allowed) ->
                assertThat(requiresOf(module, true))
                    .as("what %s requires of the family", module)
                    .isSubsetOf(allowed));
  }

  @Test
  void classesReferToOnlyWhatIsToTheLeft() {
    Map<String, String> modules = FamilyModules.modulesByPackage();
    Layers.mayUse()
        .forEach(
            (module, allowed) ->
                FamilyModules.classes(module)
                    .forEach(
                        (name, bytes) -> {
                          Set<String> used = new TreeSet<>();
                          for (String p : ReferredPackages.of(bytes)) {
                            String owner = modules.get(p);
                            if (owner != null && !owner.equals(module)) {
                              used.add(owner);
                            }
                          }
                          assertThat(used)
                              .as("the modules that %s of %s refers to", name, module)
                              .isSubsetOf(allowed);
                        }));
  }

  @Test
  void theLibraryHasNoThirdPartyDependency() {
    for (String module : WITHOUT_THIRD_PARTIES) {
      assertThat(requiresOf(module, false))
          .as("what %s requires besides the family", module)
          .allMatch(name -> name.startsWith("java.") || name.startsWith("jdk."));
    }
  }

  private static Set<String> requiresOf(String module, boolean family) {
    return FamilyModules.descriptor(module).requires().stream()
        .map(ModuleDescriptor.Requires::name)
        .filter(name -> name.startsWith(FamilyModules.PREFIX) == family)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
