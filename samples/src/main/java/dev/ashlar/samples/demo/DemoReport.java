// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.demo;

import dev.ashlar.samples.text.Corpus;
import java.util.List;

/**
 * What the demo found.
 *
 * @param inputs the names of what was indexed
 * @param corpus the documents
 * @param cut true if there was more text than was read
 * @param window how many documents stayed indexed
 * @param rounds how many times each allocator built the index
 * @param results one for each allocator
 */
public record DemoReport(
    List<String> inputs,
    Corpus corpus,
    boolean cut,
    int window,
    int rounds,
    List<ArmResult> results) {

  /**
   * Tells whether all allocators did the same work and built the same index.
   *
   * @return true if they agree
   */
  public boolean identical() {
    return ArmResult.agree(results);
  }
}
