// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.profiles.Ashlar;
import dev.ashlar.samples.index.AllocatorArm;
import dev.ashlar.samples.index.WindowBuild;
import dev.ashlar.samples.text.Corpus;
import dev.ashlar.samples.text.CorpusFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The program of a child JVM: builds the index on one allocator whenever it is asked to. A JVM of
 * its own gives each allocator code that was compiled for it alone, and a resident size that is its
 * own.
 */
public final class ArmProcess {

  private static final int WARM_UP_BUILDS = 2;

  private final AllocatorArm arm;
  private final Corpus corpus;
  private final int window;
  private final long residentBefore;

  private ArmProcess(AllocatorArm arm, Corpus corpus, int window) {
    this.arm = arm;
    this.corpus = corpus;
    this.window = window;
    this.residentBefore = Ashlar.processMemory().residentBytes();
  }

  /**
   * Runs until the standard input ends.
   *
   * @param args the allocator's name, the corpus's file and the window in documents
   */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      AllocatorArm arm = AllocatorArm.named(args[0]).orElseThrow();
      Corpus corpus = CorpusFile.read(Path.of(args[1]));
      new ArmProcess(arm, corpus, Integer.parseInt(args[2])).serve(in, out);
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace();
      out.println(ArmProtocol.PREFIX + ArmProtocol.FAILED + reason(e));
      System.exit(1);
    }
  }

  /** Says in one line what ended the child. */
  static String reason(Throwable e) {
    String words =
        switch (e) {
          case NativeMemoryExhaustedError exhausted -> exhausted.getMessage();
          case OutOfMemoryError other -> "out of memory: " + other.getMessage();
          case ExceptionInInitializerError error when error.getCause() != null ->
              reason(error.getCause());
          default -> e.toString();
        };
    return words.replaceAll("\\s*\\R\\s*", " ");
  }

  private void serve(BufferedReader in, PrintStream out) throws IOException {
    answer(out, ArmProtocol.READY);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.equals(ArmProtocol.DO_WARM_UP)) {
        warmUp();
        answer(out, ArmProtocol.READY);
      } else {
        answer(out, ArmProtocol.ROUND + measure().toLine());
      }
    }
  }

  private static void answer(PrintStream out, String words) {
    out.println(ArmProtocol.PREFIX + words);
  }

  /** Builds on a part of the documents until the code is compiled. */
  private void warmUp() {
    int part = Math.max(1, corpus.documents() / 2);
    WindowBuild build = new WindowBuild(corpus, part, Math.max(1, Math.min(window, part / 2)));
    for (int i = 0; i < WARM_UP_BUILDS; i++) {
      build.run(arm);
    }
  }

  private Round measure() {
    // What was left over by the checksum of the round before is not this round's to collect.
    System.gc();
    WindowBuild.Result result = new WindowBuild(corpus, corpus.documents(), window).run(arm);
    var memory = Ashlar.processMemory();
    return new Round(result, residentBefore, memory.peakResidentBytes(), memory.residentBytes());
  }
}
