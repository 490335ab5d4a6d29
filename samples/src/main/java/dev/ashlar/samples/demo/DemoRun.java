// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import dev.ashlar.samples.index.AllocatorArm;
import dev.ashlar.samples.text.Corpus;
import dev.ashlar.samples.text.CorpusFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Builds one corpus's index on several allocators: all children are started and warmed up first,
 * then they take turns, one build each per round, so that no allocator has a better time of day.
 */
public final class DemoRun {

  private final Corpus corpus;
  private final int window;
  private final int rounds;
  private final Progress progress;

  /**
   * Plans a run.
   *
   * @param corpus the documents
   * @param window how many documents stay indexed
   * @param rounds how many times each allocator builds the index
   * @param progress what shows how far the run is
   */
  public DemoRun(Corpus corpus, int window, int rounds, Progress progress) {
    this.corpus = corpus;
    this.window = window;
    this.rounds = rounds;
    this.progress = progress;
  }

  /**
   * Runs all rounds.
   *
   * @param arms the allocators
   * @return their results in the same order
   * @throws DemoFailure if a child fails
   * @throws IOException if the corpus cannot be handed to the children
   */
  public List<ArmResult> run(List<AllocatorArm> arms) throws DemoFailure, IOException {
    Path folder = temporary(Files.createTempDirectory("ashlar-demo"));
    List<ArmClient> clients = new ArrayList<>();
    try {
      Path corpusFile = temporary(folder.resolve("corpus"));
      progress.show(0, arms.size() * (rounds + 1), "warming up", "starting");
      CorpusFile.write(corpusFile, corpus);
      for (AllocatorArm arm : arms) {
        List<String> command = ChildJvm.command(arm, corpus, corpusFile, window);
        clients.add(new ArmClient(arm, command, temporary(folder.resolve(arm.label()))));
      }
      warmUp(clients);
      return measure(clients);
    } finally {
      clients.forEach(ArmClient::close);
      delete(folder);
      progress.finish();
    }
  }

  private void warmUp(List<ArmClient> clients) throws DemoFailure {
    for (ArmClient client : clients) {
      client.awaitReady();
      client.ask(ArmProtocol.DO_WARM_UP);
    }
    int done = 0;
    for (ArmClient client : clients) {
      progress.show(done++, clients.size() * (rounds + 1), "warming up", client.arm().label());
      client.awaitReady();
    }
  }

  private List<ArmResult> measure(List<ArmClient> clients) throws DemoFailure {
    Map<AllocatorArm, List<Round>> all = new EnumMap<>(AllocatorArm.class);
    int total = clients.size() * (rounds + 1);
    int done = clients.size();
    for (int round = 1; round <= rounds; round++) {
      for (ArmClient client : clients) {
        String phase = "round " + round + " of " + rounds;
        progress.show(done++, total, phase, client.arm().label());
        client.ask(ArmProtocol.DO_ROUND);
        all.computeIfAbsent(client.arm(), arm -> new ArrayList<>()).add(client.awaitRound());
      }
    }
    List<ArmResult> results = new ArrayList<>();
    for (ArmClient client : clients) {
      results.add(ArmResult.of(client.arm(), all.get(client.arm())));
    }
    return results;
  }

  /** Has a file or folder deleted when the user interrupts the demo; folders before their files. */
  private static Path temporary(Path path) {
    path.toFile().deleteOnExit();
    return path;
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
