// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks;

import dev.ashlar.benchmarks.run.Arm;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Finds workloads and allocators by the names on the command line. */
final class Selection {

  private static final String CORE = "core";
  private static final String MEMORY = "memory";

  private Selection() {}

  /** Workloads by name, by the beginning of names up to a hyphen, or by group. */
  static List<WorkloadSpec> workloads(List<String> names, CommandLine command) {
    Set<WorkloadSpec> chosen = new LinkedHashSet<>();
    for (String name : names) {
      List<WorkloadSpec> matches =
          Workloads.all().stream().filter(spec -> matches(spec, name)).toList();
      if (matches.isEmpty()) {
        String known =
            Workloads.all().stream().map(WorkloadSpec::name).collect(Collectors.joining(", "));
        throw new ParameterException(
            command, "unknown workload '" + name + "': use core, memory, " + known);
      }
      chosen.addAll(matches);
    }
    return List.copyOf(chosen);
  }

  static List<Arm> arms(List<String> names, CommandLine command) {
    Set<Arm> chosen = new LinkedHashSet<>();
    for (String name : names) {
      chosen.add(
          Arm.named(name.strip())
              .orElseThrow(
                  () ->
                      new ParameterException(
                          command, "unknown allocator '" + name + "': use " + Arm.labels())));
    }
    return List.copyOf(chosen);
  }

  private static boolean matches(WorkloadSpec spec, String name) {
    return spec.name().equals(name)
        || spec.name().startsWith(name + "-")
        || (name.equals(CORE) && spec.core())
        || (name.equals(MEMORY) && spec.kind() == WorkloadSpec.Kind.MEMORY);
  }
}
