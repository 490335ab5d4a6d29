// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HtmlReportTest {

  private final String page = HtmlReport.page(Reports.sample());
  private final String style = between("<style>", "</style>");
  private final int print = style.indexOf("@media print");

  @Test
  void namesAndReasonsAreEscaped() {
    assertThat(page).contains("&lt;tcmalloc&gt;").doesNotContain("<tcmalloc>");
  }

  @Test
  void itLoadsNothing() {
    assertThat(page)
        .doesNotContain("<script", "<link", "<img", "<iframe", "<object", "@import", "url(")
        .doesNotContainPattern("\\s(src|href|srcset|data|poster)\\s*=");
    // The only address is the name of SVG.
    assertThat(page.replace("xmlns=\"http://www.w3.org/2000/svg\"", ""))
        .doesNotContain("http:", "https:", "//");
  }

  @Test
  void aPhoneShowsItAtItsOwnWidth() {
    assertThat(page)
        .contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
  }

  @Test
  void whatIsWiderThanThePageScrollsByItself() {
    assertThat(rule(".scroll")).contains("overflow-x: auto");
    assertThat(count("<table>")).isPositive();
    assertThat(count("<div class=\"scroll\"><table>")).isEqualTo(count("<table>"));
    assertThat(count("<svg ")).isPositive();
    assertThat(count("<div class=\"scroll\">\n<svg ")).isEqualTo(count("<svg "));
  }

  @Test
  void barsKeepASizeThatCanBeRead() {
    assertThat(rule("svg")).contains("width: 100%", "height: auto");
    double least = number(rule("svg"), "min-width: ([0-9]+)rem") * 16;
    double drawn = number(page, "viewBox=\"0 0 ([0-9]+) ");
    double letters = number(page, "<svg [^>]*font-size=\"([0-9]+)\"");
    assertThat(letters * least / drawn).isGreaterThanOrEqualTo(10);
  }

  @Test
  void rowsCanBeToldWhileATableIsScrolled() {
    assertThat(rule("th:first-child, td:first-child")).contains("position: sticky", "left: 0");
  }

  @Test
  void paperShowsAllOfIt() {
    assertThat(print).isPositive();
    String onPaper = style.substring(print);
    assertThat(onPaper)
        .contains(".scroll { overflow: visible; }")
        .contains("svg { min-width: 0; }")
        .contains("break-inside: avoid")
        .contains("position: static")
        .contains("print-color-adjust: exact");
  }

  @Test
  void rawFiguresAreInIt() {
    assertThat(page).contains("<td>batch-lifo</td><td>jdk-confined</td>");
  }

  /** The rule of a selector for the screen. */
  private String rule(String selector) {
    return Stream.of(style.substring(0, print).split("}", -1))
        .filter(rule -> rule.contains("{"))
        .filter(rule -> rule.substring(0, rule.indexOf('{')).strip().equals(selector))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no rule for " + selector));
  }

  private static double number(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .map(group -> Pattern.compile(pattern).matcher(group).replaceAll("$1"))
        .mapToDouble(Double::parseDouble)
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing matches " + pattern));
  }

  private long count(String words) {
    return Pattern.compile(Pattern.quote(words)).matcher(page).results().count();
  }

  private String between(String begin, String end) {
    int from = page.indexOf(begin) + begin.length();
    return page.substring(from, page.indexOf(end, from));
  }
}
