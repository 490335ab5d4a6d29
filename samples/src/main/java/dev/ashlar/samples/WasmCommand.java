// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import dev.ashlar.samples.wasm.Guest;
import dev.ashlar.samples.wasm.GuestAllocation;
import dev.ashlar.samples.wasm.GuestRun;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ashlar wasm}: C programs in WebAssembly whose malloc is the host's. */
@Command(
    name = "wasm",
    mixinStandardHelpOptions = true,
    versionProvider = ToolVersion.class,
    description = {
      "Runs C programs compiled to WebAssembly whose malloc and free are Ashlar's, and shows what"
          + " each kind of allocator needs.",
      "A linear page is 64 KiB. The memory of a guest grows and never shrinks."
    })
final class WasmCommand implements Callable<Integer> {

  private static final int NO_MEMORY = 3;
  private static final int MOST_PAGES = 32_767;

  @Spec private CommandSpec spec;

  @Option(
      names = "--allocator",
      paramLabel = "KIND",
      description = "bump, reclaiming or scoped; all of them if it is not given.")
  private GuestAllocation allocation;

  @Option(
      names = "--max-pages",
      paramLabel = "N",
      defaultValue = "1024",
      description = "How large a guest's memory may become, in linear pages (${DEFAULT-VALUE}).")
  private int maxPages;

  @Override
  public Integer call() {
    if (maxPages < 1 || maxPages > MOST_PAGES) {
      throw new ParameterException(
          spec.commandLine(),
          "Invalid value for option '--max-pages': " + maxPages + " is not in 1 to " + MOST_PAGES);
    }
    List<GuestAllocation> allocations =
        allocation == null ? Arrays.asList(GuestAllocation.values()) : List.of(allocation);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    out.printf(
        "%-8s %-10s %-10s %9s %6s %8s %11s %11s%n",
        "guest", "allocator", "answer", "calls", "pages", "touched", "given out", "peak live");
    boolean wrong = false;
    boolean exhausted = false;
    for (Guest guest : Guest.all()) {
      for (GuestAllocation each : allocations) {
        GuestRun run = GuestRun.of(guest, each, maxPages);
        print(run, out);
        if (run.refusal().isPresent()) {
          exhausted = true;
          err.println(
              spec.qualifiedName()
                  + ": "
                  + guest.name()
                  + " with "
                  + each
                  + ": "
                  + run.refusal().get().getMessage());
        } else {
          wrong |= !run.right();
        }
      }
    }
    out.flush();
    err.flush();
    return wrong ? 1 : exhausted ? NO_MEMORY : 0;
  }

  private static void print(GuestRun run, PrintWriter out) {
    out.printf(
        "%-8s %-10s %-10s %9d %6d %8d %10dK %10dK%n",
        run.guest().name(),
        run.allocation(),
        run.refusal().isPresent() ? "no memory" : run.right() ? "right" : "WRONG",
        run.calls(),
        run.stats().memoryPages(),
        run.stats().touchedPages(),
        run.stats().cumulativeBytes() >>> 10,
        run.stats().peakBytes() >>> 10);
  }
}
