// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The outcome of a run.
 *
 * @param environment the machine, the command, and what was not measured and why
 * @param results the figures, in the order of the run
 */
@JsonPropertyOrder({"environment", "results"})
public record BenchReport(Map<String, Object> environment, List<Result> results) {

  /** The fact that names the workloads that a run has not come to the end of. */
  public static final String UNFINISHED = "unfinished";

  /** The arms whose ratios to the others are shown. */
  static final List<String> SUBJECTS =
      List.of(
          "ashlar-raw", "ashlar-raw-unchecked", "ashlar-heap", "ashlar-segment", "ashlar-arena");

  List<String> workloads() {
    return distinct(results.stream().map(Result::workload).toList());
  }

  List<String> allocators() {
    return distinct(results.stream().map(Result::allocator).toList());
  }

  List<Result> of(String workload) {
    return results.stream().filter(result -> result.workload().equals(workload)).toList();
  }

  Optional<Result> find(String workload, String allocator) {
    return of(workload).stream().filter(result -> result.allocator().equals(allocator)).findFirst();
  }

  /** The subjects of the ratios that were measured. */
  List<String> subjects() {
    return SUBJECTS.stream().filter(allocators()::contains).toList();
  }

  /** The median of one allocator over that of another: below 1, the first is the faster. */
  OptionalDouble ratio(String workload, String subject, String peer) {
    Optional<Double> ours = find(workload, subject).map(Result::nsPerOp);
    Optional<Double> theirs = find(workload, peer).map(Result::nsPerOp);
    return ours.isPresent() && theirs.isPresent() && theirs.get() > 0
        ? OptionalDouble.of(ours.get() / theirs.get())
        : OptionalDouble.empty();
  }

  /** All ratios of two allocators over the timed workloads, or over the core ones. */
  List<Double> ratios(String subject, String peer, boolean coreOnly) {
    List<Double> ratios = new ArrayList<>();
    for (String workload : workloads()) {
      Optional<WorkloadSpec> spec = Workloads.named(workload);
      boolean timed = spec.isPresent() && spec.get().kind() == WorkloadSpec.Kind.TIMED;
      if (timed && (spec.get().core() || !coreOnly)) {
        ratio(workload, subject, peer).ifPresent(ratios::add);
      }
    }
    return ratios;
  }

  /** The workloads that the run has not come to the end of: it is going on, or was cut off. */
  public List<String> unfinished() {
    return environment.get(UNFINISHED) instanceof List<?> names
        ? names.stream().map(Object::toString).toList()
        : List.of();
  }

  /** Named notes of the environment, such as what is absent and how to get it. */
  @SuppressWarnings("unchecked") // made by BenchRun or read from its JSON
  Map<String, String> notes(String name) {
    Object notes = environment.get(name);
    return notes instanceof Map<?, ?> map ? (Map<String, String>) map : Map.of();
  }

  private static List<String> distinct(List<String> names) {
    return names.stream().distinct().toList();
  }
}
