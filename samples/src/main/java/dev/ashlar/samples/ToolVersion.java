// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import dev.ashlar.alloc.profiles.Ashlar;
import picocli.CommandLine.IVersionProvider;

/** The version that {@code --version} prints. */
final class ToolVersion implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"ashlar " + Ashlar.environment().version()};
  }
}
