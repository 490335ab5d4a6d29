// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import static dev.ashlar.samples.demo.Results.report;
import static dev.ashlar.samples.demo.Results.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.profiles.Ashlar;
import dev.ashlar.samples.index.AllocatorArm;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoReportTest {

  private final DemoReport agreeing =
      report(result(AllocatorArm.ASHLAR_RAW, "a"), result(AllocatorArm.JDK_ARENA, "a"));
  private final DemoReport differing =
      report(result(AllocatorArm.ASHLAR_RAW, "a"), result(AllocatorArm.JDK_ARENA, "b"));

  @Test
  void hasExactlyThePromisedKeysInEachArm() {
    JsonNode arms = json(agreeing).get("arms");

    assertThat(arms.isArray()).isTrue();
    assertThat(arms.size()).isEqualTo(2);
    for (JsonNode arm : arms) {
      assertThat(arm.propertyNames())
          .containsExactly(
              "allocator",
              "documents",
              "operations",
              "nsPerOp",
              "liveBytes",
              "rssPeakBytes",
              "rssAfterBytes",
              "checksum");
    }
  }

  @Test
  void hasTheFiguresInEachArm() {
    JsonNode arm = json(agreeing).get("arms").get(0);

    assertThat(arm.get("allocator").stringValue()).isEqualTo("ashlar-raw");
    assertThat(arm.get("documents").intValue()).isEqualTo(20);
    assertThat(arm.get("operations").longValue()).isEqualTo(1000);
    assertThat(arm.get("nsPerOp").doubleValue()).isEqualTo(50.0);
    assertThat(arm.get("liveBytes").longValue()).isEqualTo(4096);
    assertThat(arm.get("rssPeakBytes").longValue()).isEqualTo(8000);
    assertThat(arm.get("rssAfterBytes").longValue()).isEqualTo(2000);
    assertThat(arm.get("checksum").stringValue()).isEqualTo("a");
  }

  @Test
  void saysInJsonWhetherTheIndexesAreTheSame() {
    assertThat(json(agreeing).get("identical").booleanValue()).isTrue();
    assertThat(json(differing).get("identical").booleanValue()).isFalse();
  }

  @Test
  void hasARowForEachAllocator() {
    assertThat(table(agreeing))
        .containsPattern("(?m)^ashlar-raw +400,000 +20,000,000 +50\\.0 +40\\.0-60\\.0 ")
        .containsPattern("(?m)^jdk-arena +400,000 ")
        .contains("index identical on all allocators: checksum a");
  }

  @Test
  void namesEachIndexWhenTheyDiffer() {
    assertThat(table(differing))
        .doesNotContain("identical")
        .contains("INDEX DIFFERS: ashlar-raw has checksum a")
        .contains("INDEX DIFFERS: jdk-arena has checksum b");
  }

  private static JsonNode json(DemoReport report) {
    return JsonMapper.shared().readTree(DemoJson.toJson(report, Ashlar.environment()));
  }

  private static String table(DemoReport report) {
    StringWriter text = new StringWriter();
    DemoTable.print(report, new PrintWriter(text));
    return text.toString();
  }
}
