// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ashlar.samples.index.AllocatorArm;
import dev.ashlar.samples.index.BlockUsage;
import dev.ashlar.samples.index.WindowBuild;
import dev.ashlar.samples.text.Corpus;
import dev.ashlar.samples.text.CorpusBuilder;
import java.util.List;

/** Made-up measurements. */
final class Results {

  private Results() {}

  static Round round(long nanos, long residentPeak, long residentAfter) {
    BlockUsage usage = new BlockUsage(1000, 0, 0, 4096);
    return new Round(
        new WindowBuild.Result(nanos, 20, usage, "0123456789abcdef"),
        10_000,
        residentPeak,
        residentAfter);
  }

  static ArmResult result(AllocatorArm arm, String checksum) {
    return new ArmResult(arm, 20, 1000, 50_000, 40_000, 60_000, 4096, 10_000, 8000, 2000, checksum);
  }

  static DemoReport report(ArmResult... results) {
    return new DemoReport(List.of("some/folder"), corpus(), true, 10, 3, List.of(results));
  }

  static Corpus corpus() {
    CorpusBuilder builder = new CorpusBuilder();
    for (String text : List.of("to be or not to be", "be quick", "or be slow")) {
      byte[] bytes = text.getBytes(UTF_8);
      builder.add(bytes, bytes.length);
    }
    return builder.build();
  }
}
