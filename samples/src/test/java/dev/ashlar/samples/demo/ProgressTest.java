// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final StringWriter text = new StringWriter();

  @Test
  void isALinePerPhaseWithoutATerminal() {
    Progress progress = new Progress(new PrintWriter(text), false);

    progress.begin("reading");
    progress.show(0, 4, "round 1", "a");
    progress.show(1, 4, "round 1", "b");
    progress.show(2, 4, "round 2", "a");
    progress.finish();

    assertThat(text.toString().lines()).containsExactly("round 1", "round 2");
  }

  @Test
  void isOneLineOnATerminal() {
    Progress progress = new Progress(new PrintWriter(text), true);

    progress.begin("reading");
    progress.show(1, 2, "round 1", "a");
    progress.finish();

    assertThat(text.toString())
        .contains("[..............................] reading")
        .contains("\r[###############...............] round 1, a")
        .doesNotContain("\n")
        .endsWith("\r");
    assertThat(text.toString()).matches("[\\r -~]*");
  }
}
