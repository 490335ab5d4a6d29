// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.testkit.RangeMap.Run;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ranges are cut and joined exactly. */
class RangeMapTest {

  private final RangeMap<String> map = new RangeMap<>();

  @Test
  void neighboursOfOneValueAreOneRange() {
    map.put(10, 20, "a");
    map.put(30, 40, "a");
    map.put(20, 30, "a");
    assertThat(map.at(15)).isEqualTo(new Run<>(10, 40, "a"));
    map.put(20, 30, "b");
    assertThat(map.parts(0, 50))
        .isEqualTo(
            List.of(
                new Run<String>(0, 10, null),
                new Run<>(10, 20, "a"),
                new Run<>(20, 30, "b"),
                new Run<>(30, 40, "a"),
                new Run<String>(40, 50, null)));
    assertThat(map.at(9)).isNull();
    assertThat(map.at(40)).isNull();
  }

  @Test
  void itKnowsWhatAnArrayKnows() {
    long seed = TestSeed.choose("ranges beside an array");
    Random random = new Random(seed);
    String[] array = new String[64];
    for (int step = 0; step < 20_000; step++) {
      int from = random.nextInt(63);
      int to = from + 1 + random.nextInt(63 - from);
      String value = random.nextInt(3) == 0 ? null : "v" + random.nextInt(3);
      Arrays.fill(array, from, to, value);
      if (value == null) {
        map.clear(from, to);
      } else {
        map.put(from, to, value);
      }
      for (Run<String> part : map.parts(0, 64)) {
        for (long at = part.from(); at < part.to(); at++) {
          assertThat(part.value()).as("step %d at %d", step, at).isEqualTo(array[(int) at]);
        }
      }
    }
  }
}
