// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.samples.text.Corpus;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowBuildTest {

  @Test
  void doesTheSameWorkOnEveryAllocator() {
    Corpus corpus = GeneratedDocuments.of(11, 300).corpus();
    WindowBuild build = new WindowBuild(corpus, corpus.documents(), 40);

    List<WindowBuild.Result> results =
        Arrays.stream(AllocatorArm.values()).map(build::run).toList();

    assertThat(results).extracting(WindowBuild.Result::checksum).containsOnly(first(results));
    assertThat(results)
        .extracting(WindowBuild.Result::usage)
        .containsOnly(results.getFirst().usage());
    assertThat(results).allSatisfy(result -> assertThat(result.documents()).isEqualTo(300));
    BlockUsage usage = results.getFirst().usage();
    assertThat(usage.liveBlocks()).isZero();
    assertThat(usage.peakLiveBytes()).isPositive();
    assertThat(usage.operations()).isGreaterThan(2L * 300);
  }

  @Test
  void hasAnotherChecksumForOtherDocuments() {
    WindowBuild one = new WindowBuild(GeneratedDocuments.of(1, 20).corpus(), 20, 5);
    WindowBuild other = new WindowBuild(GeneratedDocuments.of(2, 20).corpus(), 20, 5);

    assertThat(one.run(AllocatorArm.MALLOC_FFM).checksum())
        .isNotEqualTo(other.run(AllocatorArm.MALLOC_FFM).checksum());
  }

  @Test
  void hasAnotherChecksumForAnotherWindow() {
    Corpus corpus = GeneratedDocuments.of(1, 20).corpus();

    assertThat(new WindowBuild(corpus, 20, 5).run(AllocatorArm.MALLOC_FFM).checksum())
        .isNotEqualTo(new WindowBuild(corpus, 20, 6).run(AllocatorArm.MALLOC_FFM).checksum());
  }

  @Test
  void takesAWindowThatIsLargerThanTheCorpus() {
    Corpus corpus = GeneratedDocuments.of(1, 3).corpus();

    assertThat(new WindowBuild(corpus, 3, 1_000_000).run(AllocatorArm.ASHLAR_RAW).documents())
        .isEqualTo(3);
  }

  private static String first(List<WindowBuild.Result> results) {
    return results.getFirst().checksum();
  }
}
