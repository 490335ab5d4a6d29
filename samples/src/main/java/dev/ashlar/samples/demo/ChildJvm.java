// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import dev.ashlar.samples.index.AllocatorArm;
import dev.ashlar.samples.index.IndexSize;
import dev.ashlar.samples.text.Corpus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a child JVM: this JVM's own modules, and a Java heap that is all there from
 * the start, so that the resident size changes by what is off the heap alone.
 */
final class ChildJvm {

  private static final long MEBIBYTE = 1 << 20;

  /** What a JVM needs beside the corpus and the index. */
  private static final long LEAST_HEAP_BYTES = 96 * MEBIBYTE;

  /** Java heap for each block: its slot, and the objects that some allocators keep for it. */
  private static final long HEAP_BYTES_PER_BLOCK = 256;

  private ChildJvm() {}

  static List<String> command(AllocatorArm arm, Corpus corpus, Path corpusFile, int window) {
    long heap = heapMebibytes(corpus, window);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xms" + heap + "m");
    command.add("-Xmx" + heap + "m");
    command.add("-XX:+AlwaysPreTouch");
    command.add("-XX:+UseSerialGC");
    addProgram(command);
    command.add(arm.label());
    command.add(corpusFile.toString());
    command.add(Integer.toString(window));
    return command;
  }

  static long heapMebibytes(Corpus corpus, int window) {
    long corpusBytes =
        corpus.wordBytes().length
            + (long) corpus.stream().length * Integer.BYTES
            + (long) corpus.documents() * 2 * Integer.BYTES;
    long bytes =
        LEAST_HEAP_BYTES
            + 2 * corpusBytes
            + HEAP_BYTES_PER_BLOCK * IndexSize.of(corpus, window).slots();
    return (bytes + 32 * MEBIBYTE - 1) / (32 * MEBIBYTE) * 32;
  }

  private static void addProgram(List<String> command) {
    Module module = ArmProcess.class.getModule();
    command.add("--illegal-native-access=deny");
    if (module.isNamed()) {
      command.add("--enable-native-access=dev.ashlar.alloc.prim," + module.getName());
      String modulePath = System.getProperty("jdk.module.path");
      if (modulePath != null) { // a runtime image has its modules in it
        command.add("--module-path");
        command.add(modulePath);
      }
      command.add("--module");
      command.add(module.getName() + "/" + ArmProcess.class.getName());
    } else {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--class-path");
      command.add(System.getProperty("java.class.path"));
      command.add(ArmProcess.class.getName());
    }
  }
}
