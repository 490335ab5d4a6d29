// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.profiles.Ashlar;
import dev.ashlar.alloc.profiles.Environment;
import dev.ashlar.samples.report.EnvironmentJson;
import dev.ashlar.samples.report.Units;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code ashlar info}: what the operating system offers, and what Ashlar decided from it. */
@Command(
    name = "info",
    mixinStandardHelpOptions = true,
    versionProvider = ToolVersion.class,
    description = "Prints what the operating system offers and what Ashlar decided from it.")
final class InfoCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON, sizes in bytes.")
  private boolean json;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    Environment environment = Ashlar.environment();
    ProcessMemory memory = Ashlar.processMemory();
    if (json) {
      out.println(toJson(environment, memory));
    } else {
      print(environment, memory, out);
    }
    out.flush();
  }

  private static void print(Environment environment, ProcessMemory memory, PrintWriter out) {
    out.println("Ashlar version: " + environment.version());
    out.println();
    out.println("Operating system: " + environment.operatingSystem());
    out.println("Architecture: " + environment.architecture());
    out.println("Processors: " + Runtime.getRuntime().availableProcessors());
    out.println("OS page: " + Units.exactBytes(environment.osPageBytes()));
    out.println("Physical memory: " + Units.exactBytes(environment.physicalMemoryBytes()));
    out.println();
    out.println("Reserved address space: " + Units.exactBytes(environment.reservedBytes()));
    out.println("Segment: " + Units.exactBytes(environment.segmentBytes()));
    out.println("Slice: " + Units.exactBytes(environment.sliceBytes()));
    out.println("Size classes: " + environment.sizeClasses());
    out.println("Greatest small block: " + Units.exactBytes(environment.greatestSmallBytes()));
    out.println("Greatest medium block: " + Units.exactBytes(environment.greatestMediumBytes()));
    out.println("Heap slots: " + environment.heapSlots());
    out.println("Stripes for virtual threads: " + environment.stripes());
    out.println();
    out.println("Java home: " + System.getProperty("java.home"));
    out.println("Java version: " + Runtime.version());
    out.println("Java vendor: " + System.getProperty("java.vendor"));
    out.println();
    out.println("Process memory: " + Units.exactBytes(memory.residentBytes()));
    out.println("Process memory peak: " + Units.exactBytes(memory.peakResidentBytes()));
  }

  private static String toJson(Environment environment, ProcessMemory memory) {
    JsonMapper mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    ObjectNode root = mapper.createObjectNode();
    EnvironmentJson.put(environment, root);
    root.put("residentBytes", memory.residentBytes());
    root.put("peakResidentBytes", memory.peakResidentBytes());
    return mapper.writeValueAsString(root);
  }
}
