// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.samples.index.AllocatorArm;
import dev.ashlar.samples.text.Corpus;
import dev.ashlar.samples.text.CorpusFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArmClientTest {

  private final Corpus corpus = Results.corpus();

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void buildsWhenItIsAsked(AllocatorArm arm) throws DemoFailure, IOException {
    try (ArmClient client = client(arm, corpusFile())) {
      client.awaitReady();
      client.ask(ArmProtocol.DO_WARM_UP);
      client.awaitReady();
      client.ask(ArmProtocol.DO_ROUND);
      Round first = client.awaitRound();
      client.ask(ArmProtocol.DO_ROUND);
      Round second = client.awaitRound();

      assertThat(first.build().documents()).isEqualTo(corpus.documents());
      assertThat(second.build().checksum()).isEqualTo(first.build().checksum());
      assertThat(second.build().usage()).isEqualTo(first.build().usage());
      assertThat(second.residentBefore()).isEqualTo(first.residentBefore()).isPositive();
      assertThat(second.residentPeak()).isGreaterThanOrEqualTo(second.residentBefore());
    }
  }

  @Test
  void saysThatThereIsNoMemory() {
    OutOfMemoryError exhausted =
        new NativeMemoryExhaustedError(64, 0, 32, "operating system", null);

    assertThat(ArmProcess.reason(exhausted)).isEqualTo(exhausted.getMessage());
    assertThat(ArmProcess.reason(new OutOfMemoryError("malloc failed")))
        .isEqualTo("out of memory: malloc failed");
    assertThat(ArmProcess.reason(new ExceptionInInitializerError(exhausted)))
        .isEqualTo(exhausted.getMessage());
    assertThat(ArmProcess.reason(new IOException("it\nbroke")))
        .isEqualTo("java.io.IOException: it broke");
  }

  @Test
  void saysInOneLineWhyTheChildFailed() throws DemoFailure {
    Path missing = folder.resolve("missing");
    try (ArmClient client = client(AllocatorArm.ASHLAR_RAW, missing)) {
      assertThatThrownBy(client::awaitReady)
          .isInstanceOf(DemoFailure.class)
          .hasMessageContaining("ashlar-raw: ")
          .hasMessageContaining(missing.toString())
          .hasMessageNotContaining("\n");
    }
  }

  @Test
  void saysInOneLineThatTheJvmEnded() throws DemoFailure {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = List.of(java, "-XX:NoSuchOption");
    try (ArmClient client =
        new ArmClient(AllocatorArm.ASHLAR_RAW, command, folder.resolve("errors"))) {
      assertThatThrownBy(client::awaitReady)
          .isInstanceOf(DemoFailure.class)
          .hasMessageMatching("the JVM of ashlar-raw ended with exit code 1: .+")
          .hasMessageNotContaining("\n");
    }
  }

  @Test
  void saysInOneLineThatThereIsNoJvm() {
    List<String> command = List.of(folder.resolve("java").toString());

    assertThatThrownBy(
            () -> new ArmClient(AllocatorArm.ASHLAR_RAW, command, folder.resolve("errors")))
        .isInstanceOf(DemoFailure.class)
        .hasMessageStartingWith("cannot start a JVM for ashlar-raw: ");
  }

  @Test
  void asksForAHeapThatTheCorpusFitsIn() {
    List<String> command =
        ChildJvm.command(AllocatorArm.ASHLAR_RAW, corpus, folder.resolve("corpus"), 2);
    long heap = ChildJvm.heapMebibytes(corpus, 2);

    assertThat(heap).isGreaterThanOrEqualTo(96);
    assertThat(command).contains("-Xms" + heap + "m", "-Xmx" + heap + "m");
  }

  private Path corpusFile() throws IOException {
    Path file = folder.resolve("corpus");
    CorpusFile.write(file, corpus);
    return file;
  }

  private ArmClient client(AllocatorArm arm, Path file) throws DemoFailure {
    return new ArmClient(arm, ChildJvm.command(arm, corpus, file, 2), folder.resolve("errors"));
  }
}
