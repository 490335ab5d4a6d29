// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a measuring JVM: Ashlar on the module path as here, the rest on the class
 * path.
 */
final class ChildJvm {

  private ChildJvm() {}

  static String executable() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Where Ashlar is, and who may make native calls. */
  static List<String> modules() {
    List<String> arguments = new ArrayList<>();
    String modulePath = System.getProperty("jdk.module.path");
    if (modulePath == null) { // everything is on the class path
      arguments.add("--enable-native-access=ALL-UNNAMED");
    } else {
      arguments.add("--module-path");
      arguments.add(modulePath);
      arguments.add("--add-modules");
      arguments.add("dev.ashlar.alloc.profiles");
      arguments.add("--enable-native-access=dev.ashlar.alloc.prim,ALL-UNNAMED");
    }
    return arguments;
  }

  /** Runs a class of this module. */
  static List<String> command(Arm arm, List<String> flags, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(executable());
    command.addAll(modules());
    command.addAll(arm.jvmArguments());
    command.addAll(flags);
    command.add("--class-path");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }
}
