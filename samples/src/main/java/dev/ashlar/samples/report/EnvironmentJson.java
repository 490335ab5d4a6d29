// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.report;

import dev.ashlar.alloc.profiles.Environment;
import tools.jackson.databind.node.ObjectNode;

/** The machine, Ashlar's decisions and the Java runtime as JSON. */
public final class EnvironmentJson {

  private EnvironmentJson() {}

  /**
   * Writes an environment into an object.
   *
   * @param environment what Ashlar found and decided
   * @param json the object that gets the properties
   */
  public static void put(Environment environment, ObjectNode json) {
    json.put("version", environment.version());
    json.put("operatingSystem", environment.operatingSystem());
    json.put("architecture", environment.architecture());
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put("osPageBytes", environment.osPageBytes());
    json.put("physicalMemoryBytes", environment.physicalMemoryBytes());
    json.put("reservedBytes", environment.reservedBytes());
    json.put("segmentBytes", environment.segmentBytes());
    json.put("sliceBytes", environment.sliceBytes());
    json.put("sizeClasses", environment.sizeClasses());
    json.put("greatestSmallBytes", environment.greatestSmallBytes());
    json.put("greatestMediumBytes", environment.greatestMediumBytes());
    json.put("heapSlots", environment.heapSlots());
    json.put("stripes", environment.stripes());
    json.put("javaHome", System.getProperty("java.home"));
    json.put("javaVersion", Runtime.version().toString());
    json.put("javaVendor", System.getProperty("java.vendor"));
  }
}
