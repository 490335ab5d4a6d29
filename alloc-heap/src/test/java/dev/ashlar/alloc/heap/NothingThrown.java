// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import java.util.List;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.execution.ResultWithClock;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Accepts a run of a model in which no operation threw. The model checker takes what an operation
 * throws for its result, so without this a model that throws when something is wrong could not
 * fail.
 */
public final class NothingThrown implements Verifier {

  /**
   * Made by the model checker.
   *
   * @param model the model
   */
  public NothingThrown(Class<?> model) {}

  @Override
  public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
    for (List<ResultWithClock> thread : results.getThreadsResultsWithClock()) {
      for (ResultWithClock result : thread) {
        if (result.getResult() instanceof ExceptionResult) {
          return false;
        }
      }
    }
    return true;
  }
}
