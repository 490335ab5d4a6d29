// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * One run of the tool.
 *
 * @param exitCode its exit code
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
record ToolRun(int exitCode, String out, String err) {

  static ToolRun of(String... args) {
    return of(AshlarTool.commandLine(), args);
  }

  static ToolRun of(CommandLine tool, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = tool.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
    return new ToolRun(exitCode, out.toString(), err.toString());
  }

  List<String> errLines() {
    return err.lines().toList();
  }
}
